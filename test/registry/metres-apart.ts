interface Place {
  lat: number
  lng: number
}

/** On a sphere, by the angle between two vectors: another formula than the database's. */
export function metresApart(one: Place, other: Place): number {
  const [a, b] = [vector(one), vector(other)]
  const cross = [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  return 6_371_000 * Math.atan2(Math.hypot(...cross), a.x * b.x + a.y * b.y + a.z * b.z)
}

function vector({ lat, lng }: Place) {
  const [up, round] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
  return { x: Math.cos(up) * Math.cos(round), y: Math.cos(up) * Math.sin(round), z: Math.sin(up) }
}
