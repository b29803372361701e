"""Pictures of matches: stills for link previews, animations for chats.

The service makes an `Order` of frames (`service.media.pictures.orders`); a `Studio` draws it in
a separate process (`service.media.pictures.worker`).
"""
