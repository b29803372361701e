"""Ids and API paths of local matches, which are recognised by the prefix of the match id."""

LOCAL_PREFIX = "phone-"
"""Prefix of the ids of local matches, which are played on this device without the service."""
LOCAL_PATH_PREFIX = "/api/matches/" + LOCAL_PREFIX
LESSON_PREFIX = LOCAL_PREFIX + "lesson-"
"""Prefix of the ids of lessons; the slug of the game follows."""
TRIAL_PREFIX = LOCAL_PREFIX + "trial-"
"""Prefix of the ids of trials: private copies of a match for trying out moves, never stored.

The id of the copied match follows.
"""


def is_local_path(path: str) -> bool:
    """Return whether an API path belongs to a local match, so that this device answers the call."""
    return path.startswith(LOCAL_PATH_PREFIX)


def is_local_match(match_id: str) -> bool:
    """Return whether a match is local: played on this device without the service."""
    return match_id.startswith(LOCAL_PREFIX)


def is_lesson(match_id: str) -> bool:
    """Return whether a match is a lesson."""
    return match_id.startswith(LESSON_PREFIX)


def is_trial(match_id: str) -> bool:
    """Return whether a match is a trial: a private copy of a match for trying out moves."""
    return match_id.startswith(TRIAL_PREFIX)
