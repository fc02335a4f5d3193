// Drawing primitives of all pictures: colours, SVG elements, seeded random numbers and the perspective of a hall floor.

export type Point = [x: number, y: number]
export type Attributes = Record<string, string | number>

export const width = 1600
export const height = 1067

export const colours = {
  hall: '#0d4f55', deep: '#083a3f', soft: '#e3efee', signal: '#e8541a', rust: '#c2410c', sun: '#f6c445', sky: '#3d8fd1',
  blue: '#1f6fae', berry: '#b3345f', plum: '#8f2b57', moss: '#5d8a3a', pine: '#2f5a3a', violet: '#5a4b9a', ochre: '#9a6700',
  paper: '#f6f4ef', ink: '#10262a', wood: '#d9a066', white: '#ffffff',
}

/** Seeded random number generator in [0, 1): the same seed produces the same picture. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const short = (value: number) => String(Math.round(value * 10) / 10)
const written = (attributes: Attributes) =>
  Object.entries(attributes).map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}"`).join('')

export const element = (name: string, attributes: Attributes, content = '') =>
  content ? `<${name}${written(attributes)}>${content}</${name}>` : `<${name}${written(attributes)}/>`
export const group = (content: string, attributes: Attributes = {}) => element('g', attributes, content)
export const rect = (x: number, y: number, w: number, h: number, fill: string, more: Attributes = {}) =>
  element('rect', { x, y, width: w, height: h, fill, ...more })
export const circle = (x: number, y: number, r: number, fill: string, more: Attributes = {}) => element('circle', { cx: x, cy: y, r, fill, ...more })
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more: Attributes = {}) =>
  element('ellipse', { cx: x, cy: y, rx, ry, fill, ...more })
export const shape = (d: string, fill: string, more: Attributes = {}) => element('path', { d, fill, ...more })
export const stroke = (d: string, colour: string, w: number, more: Attributes = {}) =>
  element('path', { d, fill: 'none', stroke: colour, 'stroke-width': w, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...more })
export const polygon = (points: Point[], fill: string, more: Attributes = {}) => shape(`${through(points)}Z`, fill, more)

/** SVG path data of a polyline. */
export const through = (points: Point[]) => `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}`

/** SVG path data of a sine-like wave from x0 to x1. */
export function wave(x0: number, x1: number, y: number, length: number, swell: number): string {
  let d = `M${short(x0)} ${short(y)}q${short(length / 4)} ${short(-swell)} ${short(length / 2)} 0`
  for (let x = x0 + length / 2; x < x1; x += length / 2) d += `t${short(length / 2)} 0`
  return d
}

let gradients = 0
/** A vertical gradient over a rectangle; stops from top to bottom. */
export function shade(x: number, y: number, w: number, h: number, stops: string[], opacities: number[] = []): string {
  const id = `g${gradients++}`
  const list = stops.map((colour, index) =>
    element('stop', { offset: index / (stops.length - 1), 'stop-color': colour, 'stop-opacity': opacities[index] ?? 1 }))
  return element('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, list.join('')) + rect(x, y, w, h, `url(#${id})`)
}

/** Radial glow around a point. */
export function glow(x: number, y: number, r: number, colour: string, strength = 0.6): string {
  const id = `g${gradients++}`
  const stops = [strength, strength * 0.4, 0].map((opacity, index) => element('stop', { offset: index / 2, 'stop-color': colour, 'stop-opacity': opacity }))
  return element('radialGradient', { id }, stops.join('')) + circle(x, y, r, `url(#${id})`)
}

/** A ridge line from left to right, filled to the bottom. */
export function ridge(random: () => number, y: number, swing: number, step: number, fill: string, more: Attributes = {}): string {
  const points: Point[] = [[-50, y]]
  for (let x = -50; x < width + step; x += step) points.push([x, y + (random() - 0.5) * 2 * swing])
  let d = `M-60 ${height}L-60 ${short(y)}`
  points.slice(1).forEach(([x, top], index) => {
    const [px, py] = points[index] ?? [x, top]
    d += `C${short((px + x) / 2)} ${short(py)} ${short((px + x) / 2)} ${short(top)} ${short(x)} ${short(top)}`
  })
  return shape(`${d}L${width + 200} ${height}Z`, fill, more)
}

export const picture = (content: string, w = width, h = height) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">${content}</svg>`

/** Zooms in on a point of the scene. */
export const closer = (content: string, factor: number, x = width / 2, y = height / 2) =>
  group(content, { transform: `translate(${width / 2} ${height / 2}) scale(${factor}) translate(${-x} ${-y})` })

/** Perspective of a floor from eye height: converts metres (sideways, depth) to pixels. */
export class Floor {
  horizon: number
  centre: number
  focus: number
  eye: number
  constructor(horizon = 430, centre = 800, focus = 1150, eye = 1.9) {
    this.horizon = horizon
    this.centre = centre
    this.focus = focus
    this.eye = eye
  }
  scale(z: number): number {
    return this.focus / (z + 3.6)
  }
  at(x: number, z: number, up = 0): Point {
    const scale = this.scale(z)
    return [this.centre + x * scale, this.horizon + (this.eye - up) * scale]
  }
  area(points: Point[], fill: string, more: Attributes = {}): string {
    return polygon(points.map(([x, z]) => this.at(x, z)), fill, more)
  }
  /** Floor line of constant width in metres along points. */
  line(points: Point[], colour: string, metres = 0.08, more: Attributes = {}): string {
    const left: Point[] = []
    const right: Point[] = []
    points.forEach(([x, z], index) => {
      const [ax, az] = points[Math.max(0, index - 1)] ?? [x, z]
      const [bx, bz] = points[Math.min(points.length - 1, index + 1)] ?? [x, z]
      const length = Math.hypot(bx - ax, bz - az) || 1
      const [nx, nz] = [((bz - az) / length) * metres, ((ax - bx) / length) * metres]
      left.push(this.at(x + nx, Math.max(-3, z + nz)))
      right.unshift(this.at(x - nx, Math.max(-3, z - nz)))
    })
    return polygon([...left, ...right], colour, more)
  }
  arc(x: number, z: number, r: number, from: number, to: number, colour: string, metres = 0.08): string {
    const points = range(49).map((i): Point => {
      const angle = ((from + ((to - from) * i) / 48) * Math.PI) / 180
      return [x + r * Math.cos(angle), z + r * Math.sin(angle)]
    })
    return this.line(points, colour, metres)
  }
}
