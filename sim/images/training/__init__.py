"""How any network is trained on labelled images: course, augmentation, checkpoints, the device."""
