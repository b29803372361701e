"""Each alert of ``deploy/prometheus-alerts.yml`` fires when it should and only then, by promtool.

The series use promtool's notation "start+step x times": one value per minute.
"""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

from tests.game_contract.programs import program

RULES = Path(__file__).parents[2] / "deploy" / "prometheus-alerts.yml"
MINUTES = 90


class Case(NamedTuple):
    """Series that trigger the alert, series that do not, and the alert's labels besides its
    severity."""

    wrong: dict[str, str]
    well: dict[str, str]
    labels: Mapping[str, str] = MappingProxyType({})


JOB = {"job": "caravanserai", "instance": "one"}
UP = 'up{job="caravanserai", instance="one"}'
BOTH = '{instance="one"}', '{instance="two"}'
OPEN = 'process_open_fds{job="caravanserai", instance="one"}'
MOST = 'process_max_fds{job="caravanserai", instance="one"}'
SENT = 'caravanserai_notices_sent_total{way="mail"}'
FAILED = 'caravanserai_notices_failed_total{way="mail"}'
OTHER_SENT, OTHER_FAILED = (name.replace("mail", "push") for name in (SENT, FAILED))
REFUSED = "caravanserai_save_failures_total"
SAVED = "caravanserai_save_seconds_count"
SLOW = 'caravanserai_save_seconds_bucket{le="0.5"}'
ALL = 'caravanserai_save_seconds_bucket{le="+Inf"}'

CASES = {
    "CaravanseraiDown": Case({UP: "0x90"}, {UP: "1x90"}, JOB),
    # One worker that reaches the database is enough to play.
    "CaravanseraiDatabaseAway": Case(
        {f"caravanserai_database_up{who}": "0x90" for who in BOTH},
        {f"caravanserai_database_up{who}": f"{n}x90" for n, who in enumerate(BOTH)},
    ),
    "CaravanseraiFailing": Case(
        {'caravanserai_requests_total{status="5xx"}': "0+60x90"},
        {
            'caravanserai_requests_total{status="2xx"}': "0+6000x90",
            'caravanserai_requests_total{status="5xx"}': "0+1x90",
        },
    ),
    "CaravanseraiSavesFail": Case(
        {REFUSED: "0+1x90", SAVED: "0+0x90"}, {REFUSED: "0+1x90", SAVED: "0+10x90"}
    ),
    # A single worker without the database is enough to fire.
    "CaravanseraiRedisAway": Case(
        {f"caravanserai_redis_up{who}": f"{n}x90" for n, who in enumerate(BOTH)},
        {f"caravanserai_redis_up{who}": "1x90" for who in BOTH},
    ),
    "CaravanseraiSlowSaves": Case(
        {SLOW: "0+90x90", ALL: "0+100x90", ALL.replace("+Inf", "1"): "0+100x90"},
        {SLOW: "0+100x90", ALL: "0+100x90"},
    ),
    "CaravanseraiListsBehind": Case(
        {"caravanserai_projection_behind_decisions": "0+100x90"},
        {
            "caravanserai_projection_behind_decisions": "100x90",
            "caravanserai_projection_failing": "0x90",
        },
    ),
    "CaravanseraiMatchesSetAside": Case(
        {"caravanserai_matches_set_aside": "2x90"}, {"caravanserai_matches_set_aside": "0x90"}
    ),
    "CaravanseraiNoticesLate": Case(
        {"caravanserai_notices_late_seconds": "0+60x90"},
        {"caravanserai_notices_late_seconds": "60x90"},
    ),
    "CaravanseraiNoticesFail": Case(
        {FAILED: "0+10x90", SENT: "0+1x90"}, {FAILED: "0+1x90", SENT: "0+10x90"}, {"way": "mail"}
    ),
    "CaravanseraiMessagesDropped": Case(
        {"caravanserai_live_messages_dropped_total": "0+1x90"},
        {"caravanserai_live_messages_dropped_total": "5x90"},
    ),
    "CaravanseraiFewDescriptorsLeft": Case(
        {OPEN: "900x90", MOST: "1024x90"}, {OPEN: "100x90", MOST: "1024x90"}, JOB
    ),
}


def promtool(*words: str | Path) -> str:
    """Return promtool's output; fail if it reports an error."""
    done = subprocess.run([program("promtool"), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rules() -> dict[str, Any]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def looked_at(alert: str, series: dict[str, str], fires: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a promtool test: the expected alerts after the series."""
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "alert_rule_test": [{"eval_time": f"{MINUTES}m", "alertname": alert, "exp_alerts": fires}],
    }


def test_rules_are_valid() -> None:
    assert f"{len(CASES)} rules found" in promtool("check", "rules", RULES)
    assert CASES.keys() == rules().keys()


# Further cases of alerts with more than one cause.
MORE = [
    # Few players, and most of their requests fail: rarely more than one in ten seconds.
    (
        "CaravanseraiFailing",
        Case(
            {
                'caravanserai_requests_total{status="2xx"}': "0+1x90",
                'caravanserai_requests_total{status="5xx"}': "0+2x90",
            },
            {
                'caravanserai_requests_total{status="2xx"}': "0+20x90",
                'caravanserai_requests_total{status="5xx"}': "0+2x90",
            },
        ),
    ),
    # One channel never worked: its count of sent notifications exists with value 0; another works.
    (
        "CaravanseraiNoticesFail",
        Case(
            {FAILED: "0+2x90", SENT: "0x90", OTHER_SENT: "0+10x90", OTHER_FAILED: "0x90"},
            {FAILED: "0x90", SENT: "0x90", OTHER_SENT: "0+10x90", OTHER_FAILED: "0x90"},
            {"way": "mail"},
        ),
    ),
]


def test_each_alert_fires_when_it_should_and_only_then(tmp_path: Path) -> None:
    tests = []
    for alert, case in [*CASES.items(), *MORE]:
        rule = rules()[alert]
        fire = {
            "exp_labels": {**rule["labels"], **case.labels},
            "exp_annotations": rule["annotations"],
        }
        tests += [looked_at(alert, case.wrong, [fire]), looked_at(alert, case.well, [])]
    file = tmp_path / "tests.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": tests}))
    promtool("test", "rules", file)
