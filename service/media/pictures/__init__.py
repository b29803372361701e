"""Pictures of matches: stills for link previews and animations for sharing in chats.

The service builds a `RenderJob` of frames (`service.media.pictures.render_job`), which a
`PictureRenderer` renders in a separate process (`service.media.pictures.worker`).
"""
