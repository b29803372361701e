"""Pictures of matches: stills for link previews, animations for chats.

The service makes a `RenderJob` of frames (`service.media.pictures.render_job`); a `PictureRenderer`
draws it in a separate process (`service.media.pictures.worker`).
"""
