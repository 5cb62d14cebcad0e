"""The checklists of five venues: the headings of their questions, in their order, and what answers each.

Headings only are quoted; the questions in full are the venue's.

- NeurIPS: the paper checklist of the LaTeX style, its sixteen headings of 2025. https://neurips.cc/public/guides/PaperChecklist
- AAAI: the reproducibility checklist, its theoretical and computational parts.
  https://aaai.org/conference/aaai/aaai-26/reproducibility-checklist/
- MLRC: the sections of the report of the ML Reproducibility Challenge that evidence can fill, and the Machine Learning
  Reproducibility Checklist v2.0 that goes with it. [Pineau et al. 2021, JMLR 22(164)]
- ICML: it has no checklist for authors; the sections of its review form of 2025 are what a referee will ask. Written
  from memory, which the page says.
  https://icml.cc/Conferences/2025/ReviewerInstructions
- ICLR: what its author guide asks of the reproducibility statement, and its other two statements. In our words and
  from memory, which the page says.
  https://iclr.cc/Conferences/2026/AuthorGuide
"""

from __future__ import annotations

from dataclasses import dataclass

from checks.report.checklist import answers
from checks.report.checklist.answers import Question


@dataclass(frozen=True)
class Item:
    """A question: its number, its heading, and what answers it; None where evidence does not."""

    number: str
    heading: str
    question: Question | None = None


@dataclass(frozen=True)
class Venue:
    """A checklist.

    Attributes:
        words: which answers the venue's form knows.
        sections: headings, each with its items.
    """

    name: str
    title: str
    words: str
    sections: tuple[tuple[str, tuple[Item, ...]], ...]


NEURIPS = Venue(
    "neurips",
    "NeurIPS Paper Checklist",
    "The form knows yes, no and NA. Where partial stands here, choose one of them and keep the justification.",
    (
        (
            "",
            (
                Item("1", "Claims", answers.claims),
                Item("2", "Limitations", answers.limitations),
                Item("3", "Theory assumptions and proofs", answers.theory),
                Item("4", "Experimental result reproducibility", answers.reproducibility),
                Item("5", "Open access to data and code", answers.code),
                Item("6", "Experimental setting/details", answers.settings),
                Item("7", "Experiment statistical significance", answers.error_bars),
                Item("8", "Experiments compute resources", answers.compute),
                Item("9", "Code of ethics"),
                Item("10", "Broader impacts"),
                Item("11", "Safeguards"),
                Item("12", "Licenses for existing assets"),
                Item("13", "New assets"),
                Item("14", "Crowdsourcing and research with human subjects"),
                Item("15", "Institutional review board (IRB) approvals or equivalent for research with human subjects"),
                Item("16", "Declaration of LLM usage"),
            ),
        ),
    ),
)

AAAI = Venue(
    "aaai",
    "AAAI Reproducibility Checklist",
    "The form knows yes, partial, no and NA, fewer for some questions.",
    (
        (
            "Theoretical contributions",
            (
                Item("2.2", "All assumptions and restrictions are stated clearly and formally", answers.assumptions),
                Item("2.3", "All novel claims are stated formally (e.g., in theorem statements)", answers.formal),
                Item("2.4", "Proofs of all novel claims are included", answers.proofs),
                Item("2.5", "Proof sketches or intuitions are given for complex and/or novel results"),
                Item("2.6", "Appropriate citations to theoretical tools used are given"),
                Item("2.7", "All theoretical claims are demonstrated empirically to hold", answers.empirical),
                Item(
                    "2.8",
                    "All experimental code used to eliminate or disprove claims is included",
                    answers.eliminated,
                ),
            ),
        ),
        (
            "Computational experiments",
            (
                Item("4.2", "Number and range of values tried per (hyper-) parameter", answers.settings),
                Item("4.3", "Code required for pre-processing data"),
                Item(
                    "4.4",
                    "All source code required for conducting and analyzing the experiments",
                    answers.included_code,
                ),
                Item("4.5", "Source code will be made publicly available upon publication", answers.code),
                Item("4.6", "Source code has comments with references to the paper"),
                Item("4.7", "Method used for setting seeds", answers.seeds),
                Item("4.8", "Computing infrastructure used for running experiments", answers.compute),
                Item("4.9", "Evaluation metrics", answers.metrics),
                Item("4.10", "Number of algorithm runs used to compute each reported result", answers.runs),
                Item(
                    "4.11", "Measures of variation, confidence, or other distributional information", answers.error_bars
                ),
                Item("4.12", "Significance of any improvement or decrease in performance"),
                Item("4.13", "Final (hyper-)parameters used for each model/algorithm", answers.settings),
            ),
        ),
    ),
)

MLRC = Venue(
    "mlrc",
    "ML Reproducibility Challenge",
    "The checklist is ticked or not: partial is no tick before you have looked at it.",
    (
        (
            "Report",
            (
                Item("", "Scope of reproducibility", answers.scope),
                Item("", "Computational requirements", answers.compute),
                Item("", "Results reproducing original paper", answers.empirical),
                Item("", "Results beyond original paper", answers.beyond),
                Item("", "What was easy"),
                Item("", "What was difficult"),
                Item("", "Communication with original authors"),
            ),
        ),
        (
            "Models and algorithms",
            (
                Item("", "A clear description of the mathematical setting, algorithm, and/or model", answers.metrics),
                Item("", "A clear explanation of any assumptions", answers.assumptions),
                Item("", "An analysis of the complexity (time, space, sample size) of any algorithm"),
            ),
        ),
        (
            "Theoretical claims",
            (
                Item("", "A clear statement of the claim", answers.formal),
                Item("", "A complete proof of the claim", answers.proofs),
            ),
        ),
        (
            "Shared code",
            (
                Item("", "Specification of dependencies", answers.dependencies),
                Item("", "Training code", answers.included_code),
                Item("", "Evaluation code", answers.included_code),
                Item("", "README file includes table of results accompanied by precise command", answers.code),
            ),
        ),
        (
            "Experimental results",
            (
                Item("", "Range of hyper-parameters considered and specification of all used", answers.settings),
                Item("", "The exact number of training and evaluation runs", answers.runs),
                Item("", "A clear definition of the specific measure or statistics used", answers.error_bars),
                Item("", "Central tendency (e.g. mean) & variation (e.g. error bars)", answers.error_bars),
                Item("", "The average runtime for each result, or estimated energy cost", answers.runtime),
                Item("", "A description of the computing infrastructure used", answers.compute),
            ),
        ),
    ),
)

ICML = Venue(
    "icml",
    "ICML review form, answered beforehand",
    "ICML asks authors for no checklist. These are sections of its review form of 2025, and the impact statement of a "
    "paper: bring what stands here into the paper. The headings were written from memory: compare them with "
    "https://icml.cc/Conferences/2025/ReviewerInstructions.",
    (
        (
            "",
            (
                Item("", "Claims and evidence", answers.claims),
                Item("", "Methods and evaluation criteria", answers.metrics),
                Item("", "Theoretical claims", answers.theory),
                Item("", "Experimental designs or analyses", answers.error_bars),
                Item("", "Supplementary material", answers.included_code),
                Item("", "Relation to broader scientific literature"),
                Item("", "Essential references not discussed"),
                Item("", "Impact statement"),
            ),
        ),
    ),
)

ICLR = Venue(
    "iclr",
    "ICLR statements",
    "ICLR asks for paragraphs and ticks nothing: an answer says which sentence the evidence supports. The headings are "
    "our words, from memory: compare them with https://iclr.cc/Conferences/2026/AuthorGuide.",
    (
        (
            "Reproducibility statement",
            (
                Item("", "Source code of models and algorithms", answers.code),
                Item("", "Assumptions of theoretical results", answers.assumptions),
                Item("", "Proofs of the claims", answers.proofs),
                Item("", "Experiments: settings, runs and seeds", answers.reproducibility),
                Item("", "Data sets and how they are processed"),
            ),
        ),
        ("Other statements", (Item("", "Ethics statement"), Item("", "Use of large language models"))),
    ),
)

VENUES = {venue.name: venue for venue in (NEURIPS, ICML, ICLR, AAAI, MLRC)}
