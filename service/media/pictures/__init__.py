"""Pictures of matches: stills for link previews, films for the chat group.

Who asks makes an `Order` of frames (`service.media.pictures.orders`); a `Studio` draws it, in a
process of its own (`service.media.pictures.worker`).
"""
