"""The documentation as a site: ``python -m sphinx -W docs SITE``. Contracts stay out."""

project = "Bytes to Batches"
html_title = project
html_theme = "furo"
extensions = ["myst_parser"]
exclude_patterns = ["contracts", "_build"]
highlight_language = "none"  # a block says what it is, or is shown as it stands
myst_heading_anchors = 2  # so that pages can link to each other's headings
