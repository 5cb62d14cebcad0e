"""Numbers become estimates and verdicts. Knows no claim, no trial and no sympy: fit for anyone's data.

Each module knows only those before it. Read in this order:

- `policy`, `outcome`: how often a verdict may be wrong; the words it is made of, and what a claim speaks of;
- `explanation`, `verdict`: why it is what it is, and the judgement that carries both;
- `arguments`: what callers hand over, checked;
- `success_curve`, `estimates`, `regression`, `serial_noise`, `means`: from trials to thresholds, rates, points, a line,
  errors that follow one another, and means;
- `delta_rule`: whether that is enough, and what an interval of Delta says of the claim;
- `straightness`, `recorded_runs`, `line_doubts`, `laws`, `logarithm`: doubts about a line and the runs behind it;
- `line_rule`, `order_rules`, `excess_rule`: the rules of orders, and of an excess over an unknown offset;
- `limits`: where a sequence goes, and the rule of limits;
- `value_rules`, `comparisons`: the rules of what is counted, stated as a number, or compared;
- `judge`: all rules under one name, for callers, and the benefit of the doubt where a claim leaves constants open.

A doubt has a module of its own, with the data that it was made for at its head: who asks why a verdict was withdrawn
reads one of 300 to 650 lines, and so do its tests.
"""
