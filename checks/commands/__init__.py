"""What the command line can do: in `declared` what may be typed, and a module for each group with what carries it out.

A command names its function, and the module of that is imported when the command was typed (`options.add_command`). So
these modules import what they need at their top, and asking for help pays for none of it.
"""
