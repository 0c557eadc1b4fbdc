"""What a template asks for is what the dataclass of its page has, and the other way round."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.template import Template
from django.template.base import FilterExpression, Node, Variable, VariableNode
from django.template.defaulttags import ForNode, IfNode, RegroupNode, URLNode, WithNode
from django.template.engine import Engine
from django.template.library import SimpleNode
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.template.smartif import TokenBase

from accounts.page_content import PageContent
from tests.architecture.test_rooms import ROOT, product_modules

WITH_A_DICTIONARY = {
    "django.shortcuts.render",
    "django.template.loader.get_template",
    "django.template.loader.render_to_string",
    "django.template.loader.select_template",
    "django.template.response.SimpleTemplateResponse",
    "django.template.response.TemplateResponse",
    "django.template.loader",
    "django.template.response",
    "django.shortcuts",
    "inclusion_tag",
}
"""What draws a template from a dictionary, and the modules that have it."""
MAY_DRAW = {
    "accounts/page_content.py": {"django.shortcuts.render", "django.template.loader.render_to_string"},
    # Pages within the admin: their frame takes what `AdminSite.each_context` says, a dictionary of Django and Unfold.
    "accounts/mail/admin.py": {"django.template.response.TemplateResponse"},
    "benchmarks/admin/organised/organised_admin.py": {"django.template.response.TemplateResponse"},
    # What is said while the database is away: without a request, so that nothing in the frame asks for anything.
    "config/http/faults.py": {"django.template.loader.get_template"},
}
A_PAGE = re.compile(r"^class \w+\(\w*Page\w*\):", re.MULTILINE)
OF_THE_SITE = {"version", "synthetic", "canonical", "section", "True", "False", "None", "block", "forloop"}
"""What `html` adds to every page, and what Django knows."""
OF_THE_FRAME = {"messages", "user", "request"}
"""What base.html shows where it is there."""


def page_classes() -> list[type[PageContent]]:
    """Every page of the product."""
    for path in product_modules():
        if A_PAGE.search(path.read_text("utf-8")):
            import_module(".".join(path.with_suffix("").parts))
    classes = [PageContent]
    for known in classes:
        classes += known.__subclasses__()
    return [known for known in classes if "template" in vars(known)]


def names_asked_for(template: Template) -> set[str]:
    """The variables that a template and those that it extends or includes take from outside."""
    return set(_names(template.nodelist, frozenset()))


def _names(nodes: Any, bound: frozenset[str]) -> Iterator[str]:
    for node in nodes:
        inner = bound
        for name in _bound_after(node):
            bound |= {name}
        yield from (
            name
            for expression in _expressions(node)
            for name in _first_names(expression)
            if name not in inner
        )
        if isinstance(node, ForNode):
            yield from _names(
                [*node.nodelist_loop, *node.nodelist_empty], inner | {*node.loopvars, "forloop"}
            )
        elif isinstance(node, WithNode):
            yield from _names(node.nodelist, inner | set(node.extra_context))
        elif isinstance(node, IfNode):
            for _, nodelist in node.conditions_nodelists:
                yield from _names(nodelist, bound)
        else:
            for attribute in node.child_nodelists:
                yield from _names(getattr(node, attribute, ()), bound)
            yield from _names_of_others(node) - inner


def _names_of_others(node: Node) -> set[str]:
    """What a template asks for that the tag extends or includes."""
    other: Any = None
    if isinstance(node, ExtendsNode):
        other = node.parent_name
    elif isinstance(node, IncludeNode) and not node.isolated_context:
        other = node.template
    if other is None:
        return set()
    return names_asked_for(Engine.get_default().get_template(other.var)) - set(
        getattr(node, "extra_context", ())
    )


def _bound_after(node: Node) -> Iterator[str]:
    """Names that a tag gives to what follows it."""
    if isinstance(node, SimpleNode) and node.target_var:
        yield node.target_var
    if isinstance(node, URLNode) and node.asvar:
        yield node.asvar
    if isinstance(node, RegroupNode):
        yield node.var_name


def _expressions(node: Node) -> Iterator[Any]:
    """What a tag works out by itself."""
    if isinstance(node, VariableNode):
        yield node.filter_expression
    elif isinstance(node, ForNode):
        yield node.sequence
    elif isinstance(node, WithNode | IncludeNode):
        yield from node.extra_context.values()
    elif isinstance(node, IfNode):
        yield from (condition for condition, _ in node.conditions_nodelists if condition is not None)
    elif isinstance(node, SimpleNode | URLNode):
        yield from (*node.args, *node.kwargs.values())
    elif isinstance(node, RegroupNode):
        yield node.target
    elif isinstance(node, BlockNode):
        return


def _first_names(expression: Any) -> Iterator[str]:
    """The first names of what an expression looks up."""
    if isinstance(expression, TokenBase):
        for part in (expression.first, expression.second, getattr(expression, "value", None)):
            yield from _first_names(part)
    elif isinstance(expression, FilterExpression):
        yield from _first_names(expression.var)
        for _, arguments in expression.filters:
            yield from (
                name for is_variable, value in arguments if is_variable for name in _first_names(value)
            )
    elif isinstance(expression, Variable) and expression.lookups:
        yield expression.lookups[0]


@pytest.mark.parametrize("page", page_classes(), ids=lambda page: page.__name__)
def test_a_template_and_its_page_know_the_same_variables(page: type[PageContent]) -> None:
    asked = names_asked_for(Engine.get_default().get_template(page.template)) - OF_THE_SITE - OF_THE_FRAME
    assert asked == set(page.variables())


def ways_to_draw(source: str) -> set[str]:
    """Whatever a module takes that draws a template from a dictionary."""
    taken: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            taken |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            taken |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            taken.add(node.attr)
    return taken & WITH_A_DICTIONARY


def test_only_a_page_draws_a_template() -> None:
    drawn = {str(path): ways_to_draw((ROOT / path).read_text("utf-8")) for path in product_modules()}
    assert {path: ways for path, ways in drawn.items() if ways} == MAY_DRAW
