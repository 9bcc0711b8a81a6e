# Charts of rows in named groups: a name, and under it a row for each side, variant or operation.
import textwrap

from matplotlib import patheffects

import style

NAME, GAP = 1.0, 0.35  # heights of a group's name and of the room after it, in rows
ROW = 0.155  # inches
FRAME = 0.75  # inches for title and axis
LEAST = 1.9  # inches: of few rows, too
LONGEST = 34  # characters of a row's name; a longer one takes two lines
BESIDE = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "fontsize": style.SMALL}


def sides(answer):
    """In the order in which markers and lines are given to them."""
    return [side["side"] for side in answer["sides"]]


class Rows:
    """Where the rows stand, from above. `groups`: {name: [row]}; one group needs no name."""

    def __init__(self, groups):
        self.y, self.names, y = {}, [], 0.0
        for name, rows in groups.items():
            self.names.append((y, name))
            y += NAME if name else 0
            for row in rows:
                more = 0.3 * (len(textwrap.wrap(row, LONGEST)) - 1)
                self.y[name, row] = y + more
                y += 1 + 2 * more
            y += GAP
        self.high = y

    def panels(self, columns=1):
        high = max(LEAST, FRAME + ROW * self.high)
        return style.panels(1, columns, high, sharey=True)

    def label(self, axes):
        """Once all is drawn: names of groups above their rows, names of rows at the left."""
        names = ["\n".join(textwrap.wrap(row, LONGEST)) for _, row in self.y]
        axes[0, 0].set_yticks(list(self.y.values()), names, linespacing=0.95)
        for axis in axes.flat:
            axis.set_ylim(self.high - GAP - 0.3, -0.6)
            axis.grid(False, axis="y")
            axis.tick_params(axis="y", length=0, labelsize=style.SMALL)
        for y, name in self.names:
            looks = BESIDE | {"fontsize": 8, "weight": "bold"}
            looks["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
            text = axes[0, 0].annotate(name, (0, y), **at_data(looks))
            text.set_in_layout(False)  # it may be longer than the axis


def at_data(looks):
    return looks | {"xycoords": ("axes fraction", "data")}


def beside(axis, y, text):
    """A row's figures, right of the axis."""
    axis.annotate(text, (1, y), **at_data(BESIDE))


def dot(axis, x, y, number, label=None, ends=()):
    """Each of several equal points is smaller than the ones under it: all are seen. `ends`: of the
    spread around it."""
    if ends:
        axis.plot(ends, [y, y], color=style.of(style.COLOURS, number), linewidth=1.3)
    looks = style.marker(number, 2 + 4.5 * 0.6**number) | {"linestyle": "none"}
    axis.plot([x], [y], label=label, **looks, markeredgecolor="white", markeredgewidth=0.5)


def stick(axis, x, y, label):
    """A limit of one row: a short line across it, seen on white and on a dark bar."""
    outline = [patheffects.withStroke(linewidth=2.8, foreground="white")]
    looks = {"color": "black", "linewidth": 1.4, "path_effects": outline}
    axis.plot([x, x], [y - 0.42, y + 0.42], label=label, **looks)


def bars(axis, y, parts, names, text):
    """A bar of the shares of the named parts, and a text right of it."""
    left, whole = 0.0, sum(parts.values())
    for name in names:
        share = 100 * parts[name] / whole
        axis.barh(y, share, 0.8, left, label=name, **style.bar(names.index(name)))
        left += share
    beside(axis, y, text)


def chart(groups, draw, columns=1):
    """A row for each name of {group: {name: item}}: draw(axes, y, name, item)."""
    rows = Rows(groups)
    figure, axes = rows.panels(columns)
    for group, of in groups.items():
        for name, item in of.items():
            draw(axes[0], rows.y[group, name], name, item)
    return rows, figure, axes


def finish(rows, axes, xlabel, log=True):
    if log:
        style.log_scale(axes[0, 0], "x")
    axes[0, 0].set(xlabel=xlabel + (", logarithmic" if log else ""))
    rows.label(axes)
