"""Secrets that give themselves away by their shape: what providers' keys and tokens look like.

A kind is looked for only where a word begins with one of its ``marks`` (two characters at least), so
that a page without any costs next to nothing. Every repetition is bounded or possessive: no text makes
a pattern slow.
"""

from __future__ import annotations


class Kind:
    """One sort of secret, as it is named in ``[REDACTED:name]``.

    ``pattern`` is matched ``back`` characters before a mark at the earliest; its group ``secret``, or
    all of it, is what goes.
    """

    __slots__ = ("back", "marks", "name", "pattern")

    def __init__(self, name: str, marks: tuple[str, ...], pattern: str, back: int = 0) -> None:
        self.name = name
        self.marks = marks
        self.pattern = pattern
        self.back = back


_END = r"(?![A-Za-z0-9])"
_WORD = "[A-Za-z0-9_-]"

KINDS: tuple[Kind, ...] = (
    # model providers
    Kind("anthropic_key", ("sk-ant-",), rf"sk-ant-{_WORD}{{20,250}}+"),
    Kind("openrouter_key", ("sk-or-",), rf"sk-or-(?:v1-)?{_WORD}{{20,120}}+"),
    Kind(
        "openai_key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
        rf"sk-[A-Za-z]{{4,8}}-{_WORD}{{20,250}}+",
    ),
    Kind("openai_key", ("sk-",), r"sk-(?=[A-Za-z0-9]{0,60}[0-9])(?!(?:ant|or)-)[A-Za-z0-9]{20,64}+" + _END),
    Kind("google_api_key", ("AIza",), r"AIza[A-Za-z0-9_-]{35}" + _END),
    Kind("groq_key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,64}+" + _END),
    Kind("xai_key", ("xai-",), r"xai-[A-Za-z0-9]{60,100}+" + _END),
    Kind("perplexity_key", ("pplx-",), r"pplx-[A-Za-z0-9]{32,64}+" + _END),
    Kind("replicate_token", ("r8_",), r"r8_[A-Za-z0-9]{32,44}+" + _END),
    Kind("huggingface_token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,44}+" + _END),
    Kind("nvidia_key", ("nvapi-",), rf"nvapi-{_WORD}{{40,90}}+"),
    Kind("tavily_key", ("tvly-",), rf"tvly-{_WORD}{{24,60}}+"),
    Kind("langsmith_key", ("lsv2_",), r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}" + _END),
    Kind("pinecone_key", ("pcsk_",), r"pcsk_[A-Za-z0-9_]{40,100}+" + _END),
    # clouds
    Kind("aws_key_id", ("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    Kind("aws_mwaa_key", ("ABSK",), r"ABSK[A-Za-z0-9+/]{80,300}+={0,2}"),
    Kind("google_oauth", ("GOCSPX-",), rf"GOCSPX-{_WORD}{{20,40}}+"),
    Kind("google_oauth", ("ya29.",), rf"ya29\.{_WORD}{{20,1000}}+"),
    Kind("google_oauth", ("1//0",), rf"1//0{_WORD}{{30,200}}+"),
    Kind(
        "azure_key",
        ("AccountKey=", "SharedAccessKey="),
        r"(?:Account|SharedAccess)Key=(?P<secret>[A-Za-z0-9+/]{40,90}+={0,2})",
    ),
    Kind("azure_sas", ("sig=",), r"sig=(?P<secret>[A-Za-z0-9%+/]{40,120}+=?)"),
    Kind("digitalocean_token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[0-9a-f]{64}" + _END),
    Kind("cloudflare_key", ("v1.0-",), r"v1\.0-[0-9a-f]{20,30}-[0-9a-f]{100,160}+"),
    Kind("heroku_key", ("HRKU-",), rf"HRKU-{_WORD}{{30,80}}+"),
    Kind("fly_token", ("fm2_", "fm1r_", "fo1_"), r"(?:fm2|fm1r|fo1)_[A-Za-z0-9+/_-]{40,1000}+={0,2}"),
    Kind("netlify_token", ("nfp_",), r"nfp_[A-Za-z0-9]{32,44}+" + _END),
    Kind("render_key", ("rnd_",), r"rnd_[A-Za-z0-9]{24,40}+" + _END),
    Kind("supabase_key", ("sbp_", "sb_secret_"), r"(?:sbp|sb_secret)_[A-Za-z0-9_-]{24,60}+"),
    Kind("planetscale_token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,80}+"),
    Kind("databricks_token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?" + _END),
    Kind("vault_token", ("hvs.", "hvb.", "hvr."), rf"hv[sbr]\.{_WORD}{{20,200}}+"),
    Kind("terraform_token", ("atlasv1.",), rf"[A-Za-z0-9]{{14}}\.atlasv1\.{_WORD}{{60,90}}+", back=15),
    Kind(
        "doppler_token",
        ("dp.",),
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,48}+" + _END,
    ),
    # code and packages
    Kind("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9_]{30,255}+"),
    Kind("github_token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,255}+"),
    Kind(
        "gitlab_token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glsoat-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glffct-",
        ),
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,300}+",
    ),
    Kind("gitlab_token", ("GR1348941",), rf"GR1348941{_WORD}{{20}}"),
    Kind("bitbucket_token", ("ATBB", "ATCTT3"), r"(?:ATBB|ATCTT3)[A-Za-z0-9_=-]{28,250}+"),
    Kind("atlassian_token", ("ATATT3",), r"ATATT3[A-Za-z0-9_=-]{60,250}+"),
    Kind("npm_token", ("npm_",), r"npm_[A-Za-z0-9]{36,44}+" + _END),
    Kind("pypi_token", ("pypi-",), rf"pypi-{_WORD}{{40,400}}+"),
    Kind("rubygems_key", ("rubygems_",), r"rubygems_[0-9a-f]{48}" + _END),
    Kind("nuget_key", ("oy2",), r"oy2[a-z0-9]{43}" + _END),
    Kind("crates_token", ("cio",), r"cio[A-Za-z0-9]{32}" + _END),
    Kind("docker_token", ("dckr_",), rf"dckr_(?:pat|oat)_{_WORD}{{20,60}}+"),
    Kind("sentry_token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}+"),
    Kind("grafana_token", ("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9_+/=-]{32,400}+"),
    Kind("newrelic_key", ("NRAK-", "NRII-"), rf"NR(?:AK|II)-{_WORD}{{24,40}}+"),
    Kind("postman_key", ("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}" + _END),
    Kind("linear_key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}+" + _END),
    Kind("notion_token", ("ntn_",), r"ntn_[A-Za-z0-9]{40,56}+" + _END),
    Kind("notion_token", ("secret_",), r"secret_[A-Za-z0-9]{43}" + _END),
    Kind("figma_token", ("figd_", "figu_"), rf"fig[du]_{_WORD}{{36,60}}+"),
    Kind("airtable_token", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}" + _END),
    # money
    Kind(
        "stripe_key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}+",
    ),
    Kind("stripe_webhook", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{24,80}+"),
    Kind("square_token", ("sq0atp-", "sq0csp-"), rf"sq0(?:atp|csp)-{_WORD}{{22,60}}+"),
    Kind("square_token", ("EAAA",), rf"EAAA{_WORD}{{60}}" + _END),
    Kind(
        "shopify_token",
        ("shpat_", "shpss_", "shpca_", "shppa_"),
        r"shp(?:at|ss|ca|pa)_[0-9A-Fa-f]{32}" + _END,
    ),
    # messages
    Kind("slack_token", ("xox",), r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}+"),
    Kind("slack_token", ("xapp-", "xwfp-"), r"x(?:app|wfp)-[A-Za-z0-9-]{20,250}+"),
    Kind(
        "slack_webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}+)",
    ),
    Kind("discord_webhook", ("api/webhooks/",), r"api/webhooks/(?P<secret>\d{15,22}/[A-Za-z0-9_-]{50,90}+)"),
    Kind(
        "discord_token",
        ("MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT", "mfa."),
        r"(?:mfa\.[A-Za-z0-9_-]{60,100}+|[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}+)",
    ),
    Kind("telegram_token", ("AA",), r"(?<![0-9])[0-9]{7,12}:AA[A-Za-z0-9_-]{32,35}" + _END, back=13),
    Kind("twilio_key", ("SK",), r"SK[0-9a-f]{32}" + _END),
    Kind("sendgrid_key", ("SG.",), rf"SG\.{_WORD}{{16,32}}\.{_WORD}{{30,64}}+"),
    Kind("mailgun_key", ("key-",), r"key-[0-9a-f]{32}" + _END),
    Kind("mailchimp_key", ("us",), r"[0-9a-f]{32}-us[0-9]{1,2}" + _END, back=33),
    Kind("facebook_token", ("EAA",), r"EAA[A-Za-z0-9]{90,400}+"),
    # whatever the provider
    Kind("jwt", ("eyJ",), rf"eyJ{_WORD}{{8,1200}}+\.eyJ{_WORD}{{4,8000}}+\.{_WORD}{{8,2000}}+"),
    Kind(
        "jwt",
        ("eyJ",),
        rf"eyJ{_WORD}{{8,1200}}+\.{_WORD}{{0,2000}}+\.{_WORD}{{8,2000}}+\.{_WORD}{{8,8000}}+\.{_WORD}{{8,2000}}+",
    ),
    Kind("age_key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,62}+"),
    Kind("onepassword_token", ("ops_eyJ",), rf"ops_eyJ{_WORD}{{60,4000}}+"),
    Kind("mapbox_token", ("sk.eyJ",), rf"sk\.eyJ{_WORD}{{40,400}}+\.{_WORD}{{16,60}}+"),
)
"""Earlier kinds win where two claim the same text."""

NEEDLES: tuple[tuple[str, Kind], ...] = (
    ("Q~", Kind("azure_secret", (), r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,40}+", back=4)),
)
"""Kinds whose mark stands in the middle of a word."""
