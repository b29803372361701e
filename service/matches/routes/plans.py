"""Routes for plans (conditional moves)."""

import asyncio
from functools import partial
from typing import Annotated

from litestar import delete, get, put
from litestar.params import JSONBody, QueryParameter

from domain.match.plans import Branch, EventPattern, Plan, possible_state
from domain.presentation import choices
from service.http.i18n import t
from service.http.injection import Injected
from service.matches import schema
from service.matches.parameters import ChoiceGroup, Offset, OwnSeat
from service.matches.plans import PLAYED_STATE, PlanService, StoredPlan
from service.matches.presenters import Viewer
from service.matches.problems import no_such_group
from service.matches.request_context import Member

_DEFAULT_MAX_CHOICES = 60
"""Default maximum size of a group of commands that is listed."""

_get = partial(get, tags=["playing"])


@_get("/api/matches/{match_id:str}/plan", operation_id="getPlan")
async def get_plan(
    member: Injected[Member], plans: Injected[PlanService], own: OwnSeat
) -> schema.PlanAnswer:
    """Get your plan for a seat.

    Nobody else can see the plan.
    """
    return _plan_answer(own, await plans.find(member.match, member.player, own))


@put("/api/matches/{match_id:str}/plan", operation_id="layPlan", tags=["playing"], opt={"cost": 2})
async def store_plan(
    member: Injected[Member],
    plans: Injected[PlanService],
    own: OwnSeat,
    data: JSONBody[schema.LayPlan],
) -> schema.PlanAnswer:
    """Set your plan for a seat.

    The plan replaces an earlier one. Its first branch that fits is played some seconds after the
    other players have moved. A plan that does not fit or cannot be played is dropped.
    """
    branches = tuple(
        Branch(
            tuple(EventPattern(w.type, w.seat, w.data) for w in each.when),
            each.commands,
            each.told_when,
            each.told,
        )
        for each in data.branches
    )
    plan = Plan(branches)
    return _plan_answer(
        own, await plans.store_plan(member.match, member.player, own, plan, data.since)
    )


@delete(
    "/api/matches/{match_id:str}/plan", operation_id="dropPlan", tags=["playing"], status_code=200
)
async def delete_plan(
    member: Injected[Member], plans: Injected[PlanService], own: OwnSeat
) -> schema.PlanAnswer:
    """Delete your plan for a seat."""
    await plans.delete(member.match, member.player, own)
    return _plan_answer(own, None)


@_get("/api/matches/{match_id:str}/plan/choices", operation_id="listPlanChoices", opt={"cost": 2})
async def list_plan_choices(
    member: Injected[Member],
    own: OwnSeat,
    group: ChoiceGroup = None,
    after: Offset = 0,
    limit: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=500,
            description="With `group`: maximum number of choices on a page. Otherwise: maximum size"
            " of a group that is listed; larger groups are counted in `more` and described in"
            " `groups`.",
        ),
    ] = _DEFAULT_MAX_CHOICES,
) -> schema.PlanChoicesAnswer:
    """List commands that can be planned for a seat.

    These are the commands that the seat could probably choose when it is next to act. Hidden
    information is guessed, so the actual list may differ. The list is empty if it is already the
    seat's turn or the match is not being played.
    """
    timeline = member.match.timeline
    viewer = Viewer(timeline, member.player.id, own)
    playing = timeline.latest.status == "playing" and own not in timeline.to_act(timeline.latest)
    state = await asyncio.to_thread(possible_state, timeline, own) if playing else None
    if state is None:
        if group is not None:
            raise no_such_group()
        return schema.PlanChoicesAnswer(timeline.version, own, [], more=0, groups=[], next=None)
    if group is not None:
        found = choices.choices_of_group(viewer, own, group, after, limit, state)
        if found is None:
            raise no_such_group()
    else:
        found = choices.grouped_choices(viewer, own, limit, state)
    groups = [each for each in (found.groups or ()) if not each.listed]
    return schema.PlanChoicesAnswer(
        version=timeline.version,
        seat=own,
        choices=found.choices,
        more=sum(each.count for each in groups),
        groups=groups,
        next=found.next or None,
    )


def _plan_answer(seat: int, stored: StoredPlan | None) -> schema.PlanAnswer:
    if stored is not None and stored.dropped == PLAYED_STATE:
        return schema.PlanAnswer(
            seat=seat, version=None, branches=[], dropped=None, played=stored.version
        )
    branches = [] if stored is None else [_branch_answer(each) for each in stored.plan.branches]
    why = stored.dropped if stored else ""
    sentences = {"misfit": t("plan.misfit"), "illegal": t("plan.illegal")}
    return schema.PlanAnswer(
        seat=seat,
        version=stored.version if stored else None,
        branches=branches,
        dropped=sentences[why] if why else None,
        played=None,
    )


def _branch_answer(branch: Branch) -> schema.BranchAnswer:
    return schema.BranchAnswer(
        when=[schema.SeenAnswer(type=w.type, seat=w.seat, data=w.data) for w in branch.when],
        commands=list(branch.commands),
        told_when=branch.told_when,
        told=branch.told,
    )
