/**
 * Shows a preview of the chosen picture. For a service or a person, the user chooses the part of the picture, and the
 * script sends only this part. So the upload is small, and the other data in the file stays on the device. Without
 * scripts, the server gets the whole file and cuts it around its centre.
 */

const form = document.querySelector('.picture-form')
const preview = form?.querySelector('[data-preview]')
if (preview) letChoose(form.querySelector('[type=file]'), preview.querySelector('canvas'))

/** The largest zoom shows a fourth of the width. */
const MAX_ZOOM = 4
const JPEG_QUALITY = 0.92

function letChoose(file, canvas) {
  const [zoom, horizontal, vertical] = preview.querySelectorAll('input')
  const isCropped = zoom !== undefined
  const [maxWidth, maxHeight] = [canvas.width, canvas.height]
  let image
  /** The script has replaced the file by its chosen part, so the form may be sent. */
  let isReady = false

  file.addEventListener('change', async () => {
    const [chosen] = file.files
    // A browser that cannot read the file shows no preview. The server then says what is wrong with the file.
    image = chosen && (await createImageBitmap(chosen).catch(() => undefined))
    preview.hidden = !image
    isReady = false
    for (const range of preview.querySelectorAll('input')) range.value = range.defaultValue
    if (image) draw(...previewSize())
  })
  preview.addEventListener('input', () => draw(...previewSize()))

  function previewSize() {
    if (isCropped) return [maxWidth, maxHeight]
    const scale = Math.min(1, maxWidth / image.width, maxHeight / image.height)
    return [image.width * scale, image.height * scale]
  }

  /** The chosen part of the picture, in pixels of the picture. */
  function part() {
    if (!isCropped) return { x: 0, y: 0, width: image.width, height: image.height }
    const ratio = maxWidth / maxHeight
    const width = Math.min(image.width, image.height * ratio) / MAX_ZOOM ** (zoom.value / 100)
    const height = width / ratio
    const x = ((image.width - width) * horizontal.value) / 100
    const y = ((image.height - height) * vertical.value) / 100
    return { x, y, width, height }
  }

  function draw(width, height, background) {
    const { x, y, width: partWidth, height: partHeight } = part()
    canvas.width = Math.max(1, Math.round(width))
    canvas.height = Math.max(1, Math.round(height))
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    if (background) {
      context.fillStyle = background
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    context.drawImage(image, x, y, partWidth, partHeight, 0, 0, canvas.width, canvas.height)
  }

  if (!isCropped) return

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    event.preventDefault()
  })
  canvas.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
    if (!canvas.hasPointerCapture(pointerId)) return
    const { width, height } = part()
    move(horizontal, (movementX * width) / canvas.clientWidth, image.width - width)
    move(vertical, (movementY * height) / canvas.clientHeight, image.height - height)
    draw(maxWidth, maxHeight)
  })

  /** Moves the chosen part against the direction of the pointer, so that the picture follows the pointer. */
  function move(range, distance, space) {
    if (space > 0) range.value = Number(range.value) - (distance / space) * 100
  }

  form.addEventListener('submit', async (event) => {
    const { submitter } = event
    if (!image || isReady || submitter?.value !== 'save') return
    event.preventDefault()
    const { width } = part()
    const sent = Math.min(width, maxWidth)
    draw(sent, (sent * maxHeight) / maxWidth, '#fff')
    const content = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY))
    const files = new DataTransfer()
    files.items.add(new File([content], 'picture.jpg', { type: content.type }))
    file.files = files.files
    isReady = true
    form.requestSubmit(submitter)
  })
}
