"""One image file of a stranger, decoded: only by pillow, only JPEG, PNG or WebP, and only where it is not too large.

A file of a few kilobytes can say that it holds 10^9 pixels. The size that a file states is read before its pixels are,
and pillow's own warning of decompression bombs is an error here.
"""

from __future__ import annotations

import importlib.util
import io
import warnings

import numpy as np

from sim.images.refusals import BadImages, MissingImages

FORMATS = ("JPEG", "PNG", "WEBP")
MAX_PIXELS = 64_000_000
"""The largest photograph of ImageNet has about 40 million."""
MAX_BYTES = 100_000_000


def decoded(data: bytes, name: str, size: int | None) -> np.ndarray:
    """The image, uint8 [3, height, width]; with a `size`, the largest square in its middle, resized to that side.

    Raises:
        MissingImages: pillow is not installed.
        BadImages: another format, damage, or too many pixels; the image is called `name`.
    """
    if importlib.util.find_spec("PIL") is None:
        raise MissingImages("image files need pillow, which is not installed: pip install 'theoremeter[images]'")
    from PIL import Image, UnidentifiedImageError  # the heaviest import here, for those who have image files

    if len(data) > MAX_BYTES:
        raise BadImages(f"{name} must have at most {MAX_BYTES} bytes, got {len(data)}")
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise BadImages(f"{name} must have at most {MAX_PIXELS} pixels, got {width} x {height}")
            pixels = image.convert("RGB")
            if size is not None:
                side = min(width, height)
                left, top = (width - side) // 2, (height - side) // 2
                box = (left, top, left + side, top + side)
                pixels = pixels.resize((size, size), Image.Resampling.BILINEAR, box=box)
            return np.array(pixels).transpose(2, 0, 1)
    except BadImages:
        raise
    except UnidentifiedImageError:  # whose text has an address in memory
        raise BadImages(
            f"{name} must be a {', '.join(FORMATS[:-1])} or {FORMATS[-1]} image, got another file"
        ) from None
    except Exception as error:  # pillow meets damage with errors of many kinds
        told = " ".join(f"{type(error).__name__}: {error}".split())[:100]
        raise BadImages(
            f"{name} must be a whole {', '.join(FORMATS[:-1])} or {FORMATS[-1]} image, got {told}"
        ) from None
