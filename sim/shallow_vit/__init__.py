"""Li, Wang, Liu, Chen (ICLR 2023): tokens around patterns, a one-layer ViT, SGD on the hinge loss. [li2023]"""
