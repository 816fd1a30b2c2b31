"""Published figures of paper 1 (Christou, Coordination of Cluster Ensembles via Exact Methods, 2011).

Numbers stand as printed but for three misprints: LPMCE of u1060 at k = 100 and 110 is E+7, not E+8 (it
would be ten times the cost at k = 90), and DA of segmentation at k = 100 is printed with two points.
"""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.studies.examce.published_table import PublishedTable, parse_rows

METHOD = "EXAMCE"
OWN_METHODS = ("LPMCE", METHOD)

TABLE_2 = PublishedTable(
    number=2,
    title="u1060",
    ours=OWN_METHODS,
    format=".5E",
    rows=parse_rows(
        "u1060",
        """
        k   J-Means    VNS+       GA-QdTree  SS         DA         LPMCE      EXAMCE
        10  1.75642E9  1.75484E9  1.75585E9  1.75484E9  1.75651E9  1.75538E9  1.75484E9
        20  8.18953E8  7.91794E8  7.91974E8  7.91794E8  8.24832E8  7.91973E8  7.91794E8
        30  5.01415E8  4.81251E8  4.81551E8  4.81251E8  5.29609E8  4.81257E8  4.81369E8
        50  2.69153E8  2.55509E8  2.56894E8  2.56426E8  3.12432E8  2.55693E8  2.55509E8
        60  2.05460E8  1.97273E8  1.98738E8  1.97376E8  2.41560E8  1.97326E8  1.97273E8
        70  1.64344E8  1.58450E8  1.59908E8  1.58450E8  2.02692E8  1.58520E8  1.58450E8
        80  1.33942E8  1.28890E8  1.29732E8  1.29315E8  1.62675E8  1.28890E8  1.28890E8
        90  1.14845E8  1.10417E8  1.11634E8  1.10705E8  1.47533E8  1.10417E8  1.10417E8
        100 1.00098E8  9.63781E7  9.85214E7  9.68604E7  1.29251E8  9.63178E7  9.63178E7
        110 8.75439E7  8.48458E7  8.70672E7  8.53041E7  1.17012E8  8.48496E7  8.48396E7
        120 7.96065E7  7.55997E7  7.66384E7  7.65544E7  1.10759E8  7.55365E7  7.55537E7
        130 7.22357E7  6.75542E7  6.93417E7  6.84660E7  1.03051E8  6.75542E7  6.75542E7
        140 6.43549E7  6.11216E7  6.27243E7  6.16235E7  9.52545E7  6.11419E7  6.11195E7
        150 5.88170E7  5.59256E7  5.77786E7  5.62115E7  9.05250E7  5.59081E7  5.59081E7
        """,
    ),
)

TABLE_3 = PublishedTable(
    number=3,
    title="pcb3038",
    ours=OWN_METHODS,
    format=".5E",
    rows=parse_rows(
        "pcb3038",
        """
        k   J-Means    VNS+       GA-QdTree  SS         DA         LPMCE      EXAMCE
        10  5.63500E8  5.60251E8  5.60251E8  5.60251E8  5.75479E8  5.60251E8  5.60251E8
        20  2.66945E8  2.66812E8  2.66841E8  2.66812E8  2.67342E8  2.67045E8  2.66858E8
        30  1.76494E8  1.75598E8  1.75574E8  1.75598E8  1.80780E8  1.76543E8  1.75574E8
        40  1.28263E8  1.2607E8   1.25326E8  1.24961E8  1.35776E8  1.27135E8  1.24961E8
        50  1.00606E8  9.89439E7  9.86408E7  9.83401E7  1.07853E8  1.01160E8  9.82754E7
        100 4.98814E7  4.77197E7  4.82489E7  4.78991E7  5.95101E7  5.02058E7  4.77532E7
        150 3.20699E7  3.05573E7  3.10387E7  3.07096E7  4.08027E7  3.31395E7  3.05191E7
        200 2.31570E7  2.19186E7  2.24617E7  2.23114E7  2.69697E7  2.40473E7  2.19116E7
        250 1.76716E7  1.66603E7  1.72234E7  1.71146E7  2.15262E7  1.73583E7  1.66568E7
        300 1.42153E7  1.33540E7  1.38574E7  1.36574E7  1.76317E7  1.36672E7  1.32764E7
        350 1.18071E7  1.10979E7  1.15984E7  1.14076E7  1.49394E7  1.12416E7  1.10475E7
        400 1.00790E7  9.41168E6  9.88791E6  9.71048E6  1.22896E7  9.58653E6  9.39826E6
        450 8.77182E6  8.22641E6  8.57850E6  8.37388E6  1.13425E7  8.14641E6  8.13033E6
        500 7.71113E6  7.23506E6  7.54327E6  7.33810E6  1.02445E7  7.12999E6  7.11365E6
        """,
    ),
)

TABLE_4 = PublishedTable(
    number=4,
    title="rat575",
    ours=OWN_METHODS,
    format=".1f",
    rows=parse_rows(
        "rat575",
        """
        k   VNS-HK     SS         DA         LPMCE      EXAMCE
        5   2497887.4  2497887.4  2528551.3  2497887.4  2497887.4
        10  1110033.9  1110033.9  1112176.7  1110033.9  1110033.9
        15  728530.3   728530.3   770329.7   729070.2   728563.3
        20  531913.5   531913.5   576318.8   531939.6   531913.5
        30  348823.5   348563.4   370158.1   359012.3   348880.0
        40  255201.7   254968.5   281942.3   268503.6   254906.8
        50  197830.0   196087.8   224660.5   207757.4   195650.1
        60  156756.0   156611.9   171869.9   166650.4   156576.4
        70  129276.6   128863.0   146548.3   129734.6   128726.1
        80  109963.0   110066.1   122778.7   113543.8   109699
        90  94828.3    94858.4    113127.1   94872.9    94453.7
        100 82735.2    82551.2    99571.1    82442.2    82442.2
        """,
    ),
)

TABLE_6 = PublishedTable(
    number=6,
    title="segmentation",
    ours=(METHOD,),
    format=".1f",
    rows=parse_rows(
        "segmentation",
        """
        k   DA         best-of-150-k-means  EXAMCE
        100 1404738.1  1799874.9            1370426.2
        150 1083809.5  1351192.9            977548.9
        200 919088.1   1199826              931294.1
        250 815297.9   1034068.1            484173.8
        300 826855.6   874148.9             399982.3
        """,
    ),
)

#: Major iterations of EXAMCE that tables print, for each k.
ROUNDS = {6: {100: 2, 150: 2, 200: 2, 250: 3, 300: 3}}

# EXAMCE is at the optimum (gap 0.00 %) of iris for every k, and of soybean-small for k = 2 and 4
TABLE_7 = PublishedTable(
    number=7,
    title="iris and soybean-small",
    ours=(METHOD,),
    format=".7f",
    rows=parse_rows(
        "iris",
        """
        k   optimum      EXAMCE
        2   152.368706   152.368706
        3   78.9408414   78.9408414
        4   57.3178732   57.3178732
        5   46.5355821   46.5355821
        6   38.9309630   38.9309630
        7   34.1892055   34.1892055
        8   29.8799198   29.8799198
        9   27.7654245   27.7654245
        10  25.8133869   25.8133869
        """,
    )
    + parse_rows(
        "soybean_small",
        """
        k   optimum      EXAMCE
        2   404.4593     404.4593
        4   205.9637     205.9637
        """,
    ),
)

#: Which costs of a table the paper does not print.
REFERENCES = {
    7: (
        "soybean-small: the paper prints no costs, only that it is at the optimum for k = 2 and 4; "
        "the optima are of the literature that it cites",
    )
}

#: Adjusted Rand index of EXAMCE with the entropy criterion, and of an ensemble of k-means.
TABLE_8 = {
    "new_thyroid": 0.842,
    "wine": 0.731,
    "glass": 0.411,
    "ionosphere": 0.479,
    "soybean_small": 1.0,
    "segmentation": 0.519,
}
TABLE_8_OTHER = {
    "new_thyroid": 0.594,
    "wine": 0.403,
    "glass": 0.301,
    "ionosphere": 0.296,
    "soybean_small": 0.937,
    "segmentation": 0.495,
}

#: Error on iris in per cent: EXAMCE with the entropy criterion, and the best means of others.
TABLE_9 = {"iris": 3.3}
TABLE_9_OTHERS = {"EM": 10.9, "QMI": 10.8, "CSPA": 7.7, "HGPA": 38.2, "MCLA": 10.9}

COST_TABLES = {table.number: table for table in (TABLE_2, TABLE_3, TABLE_4, TABLE_6, TABLE_7)}

#: The tables whose 40 instances the paper's own summary and tests are about.
BENCHMARK_TABLES = (2, 3, 4)


@dataclass(frozen=True)
class TimeRange:
    """Table 5: least and most seconds of a method on one data set, and the k of each."""

    data: str
    method: str
    least: float
    least_k: int
    most: float
    most_k: int


TABLE_5 = (
    TimeRange("rat575", "LPMCE", 4, 5, 23, 70),
    TimeRange("rat575", METHOD, 4, 10, 227, 30),
    TimeRange("u1060", "LPMCE", 36, 30, 70, 150),
    TimeRange("u1060", METHOD, 31, 60, 157, 10),
    TimeRange("pcb3038", "LPMCE", 34, 10, 508, 500),
    TimeRange("pcb3038", METHOD, 24, 10, 301, 100),
)


@dataclass(frozen=True)
class XMeans:
    """What X-means found by itself, and EXAMCE with the same number of clusters."""

    data: str
    n_clusters: int
    cost: float
    examce: float


X_MEANS = (
    XMeans("u1060", 5, 3.79152e9, 3.79100e9),
    XMeans("pcb3038", 10, 5.61709e8, 5.60251e8),
)

#: Number of points of each data set (table 1).
N_POINTS = {
    "rat575": 575,
    "u1060": 1060,
    "pcb3038": 3038,
    "iris": 150,
    "soybean_small": 47,
    "segmentation": 2310,
    "new_thyroid": 215,
    "wine": 178,
    "glass": 214,
    "ionosphere": 351,
}
