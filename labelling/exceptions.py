"""What a worker or an organiser is told when something is not done; the message is for them."""


class LabellingError(Exception):
    """Something that was not done, in words for whoever asked for it."""


class CannotJoin(LabellingError):
    """Why a person cannot take part in a campaign."""


class NotAtWork(LabellingError):
    """Why a worker is given nothing: the campaign is paused or closed, or their part in it has ended."""


class NotTaken(LabellingError):
    """Why an answer was not taken; nothing was stored."""


class CannotChangeCampaign(LabellingError):
    """Why a campaign is not opened, paused, closed or changed."""
