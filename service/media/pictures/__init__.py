"""Pictures of matches: stills for link previews, animations for chats.

The service makes an `Order` of frames (`service.media.pictures.render_job`); a `Studio` draws it in
a separate process (`service.media.pictures.worker`).
"""
