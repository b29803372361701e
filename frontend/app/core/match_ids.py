"""Ids and API paths of local matches, told apart by the prefix of the match id."""

LOCAL_PREFIX = "phone-"
"""Prefix of the ids of local matches, which are played on this device itself."""
LOCAL_PATH_PREFIX = "/api/matches/" + LOCAL_PREFIX
LESSON_PREFIX = LOCAL_PREFIX + "lesson-"
"""Prefix of the ids of lessons; the slug of the game follows."""
TRIAL_PREFIX = LOCAL_PREFIX + "trial-"
"""Prefix of the ids of trials: private copies to try moves out, which are not stored.

The id of the copied match follows.
"""


def is_local_path(path: str) -> bool:
    """Return whether this device itself answers a call."""
    return path.startswith(LOCAL_PATH_PREFIX)


def is_local_match(match_id: str) -> bool:
    """Return whether a match is local: played on this device itself."""
    return match_id.startswith(LOCAL_PREFIX)


def is_lesson(match_id: str) -> bool:
    """Return whether a match is a lesson."""
    return match_id.startswith(LESSON_PREFIX)


def is_trial(match_id: str) -> bool:
    """Return whether a match is a trial: a private copy to try moves out."""
    return match_id.startswith(TRIAL_PREFIX)
