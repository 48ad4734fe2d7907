/**
 * How a command of this server is typed: through npm in a checkout, and as `usp` in the image and beside the systemd unit
 * (deploy/systemd/usp), which have no npm or another user.
 */
export const USP = ['start', 'usp'].includes(process.env.npm_lifecycle_event ?? '') ? 'npm run usp --' : 'usp'
