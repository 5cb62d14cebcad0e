"""What is made of images: objects in scenes, permuted squares, tokens and which of them are kept."""
