# Charts of rows in named groups: a name, and under it a row for each side, variant or operation.
import textwrap

import style

NAME, GAP = 1.0, 0.35  # heights of a group's name and of the room after it, in rows
ROW = 0.16  # inches
LEAST = 0.9  # inches: of few rows, too
LONGEST = 34  # characters of a row's name; a longer one takes two lines
BESIDE = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "fontsize": style.SMALL}


def sides(answer):
    """In the order in which colours are given to them."""
    return [side["side"] for side in answer["sides"]]


def number_of(answer, side):
    """Of the side that this is, or of whose runs with an option."""
    return next((n for n, name in enumerate(sides(answer)) if side == name or side.startswith(name + ", ")), 0)


def by_share(several, least):
    """The names of the parts of several wholes, the largest first, without those that are never more than `least` of
    their whole."""
    shares = {}
    for parts in several:
        for name, part in parts.items():
            shares.setdefault(name, []).append(part / sum(parts.values()))
    return sorted((name for name in shares if max(shares[name]) > least), key=lambda name: -sum(shares[name]))


class Rows:
    """A figure with a row for each of `groups`, {name: [row]}, from above; one group needs no name. `right`
    are the characters that stand right of the panels."""

    def __init__(self, groups, columns=1, right=2):
        self.y, self.groups, y = {}, [], 0.0
        for name, rows in groups.items():
            self.groups.append((y, name))
            y += NAME if name else 0
            for row in rows:
                more = 0.3 * (len(textwrap.wrap(row, LONGEST)) - 1)
                self.y[name, row] = y + more
                y += 1 + 2 * more
            y += GAP
        names = ["\n".join(textwrap.wrap(row, LONGEST)) for _, row in self.y]
        left = 0.15 + 1.05 * style.LETTER * max(len(line) for name in names for line in name.split("\n"))
        high = max(LEAST, ROW * y)
        room = {"left": left, "right": 0.05 + style.LETTER * right}
        self.figure, self.axes = style.panels(columns, columns, high, name=0.05, shared="y", **room)
        self.axes[0].set_yticks(list(self.y.values()), names, linespacing=0.95)
        for axis in self.axes:
            axis.set_ylim(y - GAP - 0.3, -0.6)
            axis.grid(False, axis="y")
            axis.tick_params(axis="y", labelsize=style.SMALL)

    def name_groups(self):
        """Once all is drawn."""
        for y, name in self.groups:
            looks = BESIDE | {"fontsize": 8, "weight": "bold"}
            looks["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
            self.axes[0].annotate(name, (0, y), **at_data(looks))


def at_data(looks):
    return looks | {"xycoords": ("axes fraction", "data")}


def beside(axis, y, text):
    """A row's figures, right of the axis."""
    axis.annotate(text, (1, y), **at_data(BESIDE))


def dot(axis, x, y, side, label=None, ends=(), is_open=False, dashes="-"):
    """`ends`: of the spread around it."""
    looks = style.marker(side, 0, 5.5)
    if ends and ends[0] != ends[1]:
        axis.plot(ends, [y, y], color=looks["color"], linewidth=1.3, linestyle=dashes)
    face = "white" if is_open else looks["color"]
    axis.plot([x], [y], label=label, linestyle="none", markerfacecolor=face, **looks)


def stick(axis, x, y, label):
    """A limit of one row: a short line across it."""
    axis.plot([x, x], [y - 0.42, y + 0.42], label=label, color="black", linewidth=1.4)


def bars(axis, y, parts, names, side):
    """A bar of the shares of these parts in shades of the side, `names` by the shade; what has room bears its
    name."""
    left, whole = 0.0, sum(parts.values())
    inches = axis.bbox.width / 72
    for name in parts:
        if name not in names:
            continue
        n = names.index(name)
        share = 100 * parts[name] / whole
        face = style.shade(side, n)
        axis.barh(y, share, 0.84, left, facecolor=face, edgecolor="white", linewidth=0.6)
        if share / 100 * inches > style.LETTER * (len(name) + 1):
            dark = 0.3 * face[0] + 0.6 * face[1] + 0.1 * face[2] < 0.55
            looks = {"ha": "center", "va": "center", "fontsize": 7, "color": "white" if dark else "black"}
            axis.text(left + share / 2, y, name, **looks)
        left += share


def name_parts(axis, names):
    """In the legend."""
    for n, name in enumerate(names):
        axis.barh(0, 0, facecolor=style.shade(None, n), label=name)
