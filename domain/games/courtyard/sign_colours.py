"""Colours of the symbols for goods and for the frames of orders. Ships to the browser."""

TONES = {
    "bronze": ("#a9672f", "#4a2a0c"),
    "silver": ("#b9c2cb", "#3f4a55"),
    "gold": ("#efc93a", "#6a5200"),
    "amber": ("#e0951a", "#5f3b00"),
    "emerald": ("#2f9a5c", "#0f4426"),
    "diamond": ("#8fdcf2", "#1d5a6e"),
}
"""Fill and edge colour of each good."""
FRAMES = {"blue": "#3567b1", "green": "#2f8a4a", "red": "#c0402f", "white": "#f3efe4"}
EDGES = {"blue": "#173a6d", "green": "#12502a", "red": "#6f1d12", "white": "#6b5a3c"}
