"""A site of static pages: a front page, and a page for each claim, which open from a folder without a network.

`gathering` turns claims, checks and rows into the records of `model`, which hold words, formulas and figures, and
nothing of HTML; `pages` renders them through the templates; `files` writes a folder or one single file. Whoever wants
another format renders the same records. Calling order: `building.pages_of` -> `building.site_of` -> `files.write`.
"""
