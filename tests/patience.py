"""How long a test waits for another process or thread before it calls that hung: nothing is measured by it.

Long enough for a machine with ten times as much to do as it has cores.
"""

PATIENCE_SECONDS = 600.0
