"""The same network trained on samples, and what is measured of data and initial networks."""
