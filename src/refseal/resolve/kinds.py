"""Which files are text by their name: documents, source and configuration, as an allow-list.

An allow-list, because what is not listed costs a reader one line ("not-text"), while a list of what is
forbidden would have to know every binary format.  What is listed still has to hold no NUL byte.  Credentials
are not this list's business: the path guard refuses them whatever their extension is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MISSING_EXTENSIONS: Final = frozenset({"md", "mdx", "markdown", "txt", "rst", "adoc"})
"""A reference with one of these that names nothing was meant as a file: it is reported as missing."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOCUMENTS: Final = _words(
    """
    md mdx mdc mkd mkdn mdown markdown txt text rst adoc asciidoc asc org tex latex bib sty cls typ textile
    wiki mediawiki creole pod rdoc man roff log changes diff patch rej srt vtt csv tsv psv qmd rmd ipynb
    """
)
SOURCE: Final = _words(
    """
    py pyi pyx pxd pyw ipy rb erb rake gemspec ru js mjs cjs jsx ts mts cts tsx vue svelte astro html htm
    xhtml css scss sass less styl pcss c h cc cpp cxx c++ hh hpp hxx h++ ipp inl m mm cs csx vb fs fsi fsx
    java kt kts scala sc groovy gradle clj cljs cljc edn ex exs eex heex leex erl hrl hs lhs elm purs ml mli
    mll mly re rei res resi rs go swift dart zig nim v vhd vhdl sv svh d pas pp lpr dpr ada adb ads f for f77
    f90 f95 f03 f08 r jl lua pl pm t raku rakumod tcl awk sed php phtml php5 sh bash zsh fish ksh csh tcsh
    ps1 psm1 psd1 bat cmd sql psql pgsql mysql ddl dml graphql gql graphqls proto thrift avsc avdl fbs capnp
    wgsl glsl vert frag comp hlsl metal cu cuh cl asm s nasm ll wat wast sol vy move cairo lisp lsp el cl scm
    ss rkt sld factor forth fth apl idr agda lean lean4 thy coq tla als dfy smt2 pro prolog erlang hx hack
    cr vala gd gdshader tscn tres as feature spec robot j2 jinja jinja2 tmpl tpl mustache hbs handlebars ejs
    pug jade haml slim liquid njk twig cshtml razor aspx jsp ftl vm templ dot gv mmd puml plantuml d2 nix
    """
)
CONFIGURATION: Final = _words(
    """
    json jsonc json5 jsonl ndjson geojson webmanifest map yaml yml toml ini cfg conf config properties props
    targets csproj fsproj vbproj sln slnx xml xsd xsl xslt dtd svg plist resx rc lock mod sum work tf tfvars
    hcl nomad bicep cue dhall jsonnet libsonnet rego pkl ron kdl star bzl bazel build cmake mk mak make ninja
    am ac m4 in just dockerfile containerfile service socket timer desktop rules editorconfig prettierrc
    eslintrc babelrc stylelintrc nvmrc tool-versions gitignore gitattributes gitmodules dockerignore
    npmignore eslintignore prettierignore helmignore ignore cursorrules windsurfrules clinerules example
    sample template tmplt dist
    """
)
EXTENSIONS: Final = DOCUMENTS | SOURCE | CONFIGURATION
"""What may follow the last dot of a name, in lower case."""

NAMES: Final = _words(
    """
    readme license licence unlicense copying copyright notice authors contributors maintainers owners
    codeowners credits thanks changelog changes history news release todo install contributing security
    support governance roadmap version manifest makefile gnumakefile bsdmakefile kbuild kconfig justfile
    dockerfile containerfile vagrantfile jenkinsfile procfile brewfile gemfile rakefile guardfile podfile
    fastfile appfile cartfile dangerfile berksfile capfile thorfile puppetfile snakefile sconstruct
    sconscript build workspace tiltfile earthfile taskfile pipfile caddyfile agents claude license-mit
    license-apache license-apache-2.0 copying.lesser
    """
)
"""Well-known names without an extension, in lower case."""

VARIED: Final = frozenset(
    {"dockerfile", "containerfile", "makefile", "jenkinsfile", "gemfile", "vagrantfile"}
)
"""Names after which any extension only tells a variant: `Dockerfile.dev`."""


def is_text_name(name: str) -> bool:
    """Tell whether the file's name is that of a text.  A dot file counts by what follows its dot."""
    lowered = name.lower()
    stem, dot, extension = lowered.rpartition(".")
    if dot and extension in EXTENSIONS:
        return True
    return lowered in NAMES or stem in VARIED


def is_document_name(path: str) -> bool:
    """Tell whether a reference that names nothing was meant as a document, by its extension.

    A slash behind that, which asks for a directory, does not make it a mention.
    """
    _, dot, extension = path.rstrip("/").rpartition("/")[2].lower().rpartition(".")
    return bool(dot) and extension in MISSING_EXTENSIONS
