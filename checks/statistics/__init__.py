"""Numbers become estimates and verdicts. Knows no claim, no trial and no sympy: fit for anyone's data.

Each module knows only those before it. Read in this order:

- `policy`, `outcome`: how often a verdict may be wrong; the words it is made of, and what a claim speaks of;
- `explanation`, `verdict`: why it is what it is, and the judgement that carries both;
- `arguments`: what callers hand over, checked;
- `success_curve`, `estimates`, `regression`, `serial_noise`, `means`: from trials to thresholds, rates, points, a line,
  errors that follow one another, and means;
- `shortage`, `delta_rule`: whether that is enough, and what an interval of Delta says of the claim;
- `straightness`, `recorded_runs`, `line_doubts`, `laws`: doubts about a line and the runs behind it;
- `line_rule`, `order_rules`, `slope_rules`: the rules of orders;
- `extrapolation`, `limit_rule`: where a sequence goes, and the rule of limits;
- `behaviour_rules`, `bound_rules`, `comparisons`: the rules of what is counted, stated as a number, or compared;
- `hidden_constants`: the benefit of the doubt where a claim leaves constants open;
- `judge`: all rules under one name, for callers.

A doubt has a module of its own, with the data that it was made for at its head: who asks why a verdict was withdrawn
reads one of 250 to 600 lines, and so do its tests.
"""
