/**
 * The words before the name of a command. In a checkout npm runs commands. The image and the systemd unit have a program `usp`
 * (deploy/systemd/usp).
 */
export const USP = ['start', 'usp'].includes(process.env.npm_lifecycle_event ?? '') ? 'npm run usp --' : 'usp'
