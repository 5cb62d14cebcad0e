"""What people see of formulas and claims: LaTeX, Unicode, and what a notebook shows. No verdict reads any of it."""
