"""The networks that the papers train on images, in plain torch: vision transformers, ResNet-18, VGG-19."""
