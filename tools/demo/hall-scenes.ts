// Scenes on the floor of a sports hall.
import { chance, circle, closer, colours, ellipse, Floor, glow, group, height, type Point, polygon, range, rect, shade, shape, stroke, through, wave, width } from './drawing.ts'
import { figure, footprint, type PoseName, people } from './figures.ts'

interface Hall {
  wall: [string, string]
  ground: [string, string]
  window: string
  light: string
}

export const halls = {
  morning: { wall: ['#e9efe9', '#c9dad6'], ground: ['#d08f4e', '#e9b878'], window: '#fdf3d4', light: '#fff6d8' },
  evening: { wall: ['#123f47', '#0d4f55'], ground: ['#7c4a25', '#b87a42'], window: '#f6a55a', light: '#ffca7a' },
  green: { wall: ['#0b474d', '#12656a'], ground: ['#0f6a66', '#178a80'], window: '#dff3ea', light: '#e7fff5' },
  foundry: { wall: ['#2a2327', '#4a2f2b'], ground: ['#51433f', '#79635a'], window: '#ff9b54', light: '#ffb070' },
} satisfies Record<string, Hall>

/** Wall, windows, floor with light falling in, and the court lines of four sports on top of each other. */
export function room(hall: Hall, floor: Floor, options: { bars?: boolean; lines?: boolean } = {}): string {
  const back = 15
  const [, wallFoot] = floor.at(0, back)
  const windows = range(7).map(i => {
    const x = floor.centre - 1180 + i * 345
    return rect(x, wallFoot - 300, 285, 118, hall.window, { opacity: 0.92 }) + rect(x + 139, wallFoot - 300, 7, 118, hall.wall[1]) + rect(x, wallFoot - 246, 285, 6, hall.wall[1])
  })
  const beams = range(6).map(i => stroke(`M${floor.centre + (i - 2.5) * 210} ${wallFoot - 330}L${floor.centre + (i - 2.5) * 620} -30`, hall.wall[1], 16, { opacity: 0.55 }))
  const bars = options.bars
    ? range(4).map(i => {
        const x = floor.centre - 560 + i * 300
        return group(range(9).map(n => rect(x, wallFoot - 158 + n * 17, 130, 5, '#c98d4f')).join('') + rect(x - 5, wallFoot - 164, 8, 164, '#9a6432') + rect(x + 127, wallFoot - 164, 8, 164, '#9a6432'))
      })
    : []
  const light = range(5).map(i => {
    const x = -9 + i * 4.2
    return floor.area([[x, 13], [x + 2.3, 13], [x + 4.1, 2], [x + 1, 2]], hall.light, { opacity: 0.2 })
  })
  const lines = options.lines === false ? [] : [
    floor.line([[-7.2, 13.4], [7.2, 13.4]], colours.white, 0.06),
    floor.line([[-7.2, 13.4], [-7.2, -2.6]], colours.white, 0.06),
    floor.line([[7.2, 13.4], [7.2, -2.6]], colours.white, 0.06),
    floor.arc(0, 6, 2.4, 0, 360, colours.sun, 0.07),
    floor.line([[-12, 6], [12, 6]], colours.white, 0.06),
    floor.arc(0, 13.4, 5.4, 180, 360, colours.signal, 0.07),
    floor.arc(-7.2, 0.6, 3.6, -90, 90, colours.sky, 0.07),
    floor.line([[-4.2, 13.4], [-4.2, 1.5], [-3.6, 0.6], [-2.5, 0.2], [5.5, 0.2], [5.5, 13.4]], colours.sky, 0.055),
  ]
  return [
    shade(0, 0, width, wallFoot, hall.wall), ...beams, ...windows, ...bars,
    shade(0, wallFoot, width, height - wallFoot, hall.ground), rect(0, wallFoot - 7, width, 12, '#000000', { opacity: 0.18 }),
    ...range(16).map(i => stroke(through([floor.at(-16 + i * 2.1, 15), floor.at(-16 + i * 2.1, -2.4)]), '#000000', 1.5, { opacity: 0.08 })),
    ...light, ...lines,
  ].join('')
}

const standing = (floor: Floor, pose: PoseName, x: number, z: number, look: ReturnType<ReturnType<typeof people>>, options: { flip?: boolean; metres?: number; up?: number } = {}) => {
  const [px, py] = floor.at(x, z)
  const size = floor.scale(z) * (options.metres ?? 1.75)
  const [, lifted] = floor.at(x, z, options.up ?? 0)
  return footprint(px, py, size) + figure(pose, px, lifted, size, look, options)
}

function net(floor: Floor, z: number, from: number, to: number, low: number, high: number): string {
  const [x0, y0] = floor.at(from, z, high)
  const [x1, y1] = floor.at(to, z, low)
  const mesh = range(40).map(i => stroke(`M${x0 + ((x1 - x0) * i) / 39} ${y0}V${y1}`, colours.white, 1.4, { opacity: 0.5 }))
  const rows = range(7).map(i => stroke(`M${x0} ${y0 + ((y1 - y0) * i) / 6}H${x1}`, colours.white, 1.4, { opacity: 0.5 }))
  const [, ground] = floor.at(0, z)
  return [...mesh, ...rows, stroke(`M${x0} ${y0}H${x1}`, colours.white, 7), stroke(`M${x0} ${ground}V${y0 - 12}M${x1} ${ground}V${y0 - 12}`, colours.ink, 10)].join('')
}

export const ball = (x: number, y: number, r: number, colour = colours.sun) =>
  circle(x, y, r, colour) +
  group(stroke(`M${-r} 0C${-r * 0.3} ${-r * 0.5} ${r * 0.3} ${-r * 0.5} ${r} 0M${-r * 0.7} ${r * 0.7}C${-r * 0.2} ${r * 0.1} ${-r * 0.1} ${-r * 0.5} ${-r * 0.2} ${-r}M${r * 0.7} ${r * 0.7}C${r * 0.3} ${r * 0.2} ${r * 0.3} ${-r * 0.4} ${r * 0.45} ${-r * 0.9}`, '#00000066', r * 0.09), { transform: `translate(${x} ${y}) rotate(24)` })

export function volleyball(): string {
  const floor = new Floor(470, 800)
  const next = people(11)
  const [bx, by] = floor.at(-0.2, 5.2, 3.35)
  return (
    closer(room(halls.morning, floor, {}) +
    [[-3.6, 10], [2.6, 9.4], [0.2, 11]].map(([x, z], i) => standing(floor, (['dig', 'stand', 'reach'] as const)[i] ?? 'stand', x ?? 0, z ?? 0, next(), { flip: i === 1 })).join('') +
    standing(floor, 'block', 0.9, 6.6, next(), { up: 0.2 }) + net(floor, 6, -5.6, 5.6, 1.45, 2.45) +
    standing(floor, 'spike', -0.9, 4.6, next(), { up: 0.35 }) + ball(bx, by, 30) +
    standing(floor, 'dig', 2.9, 2.6, next(), { flip: true }) + standing(floor, 'squat', -2.9, 1.9, next()), 1.24, 800, 600)
  )
}

export function groupLesson(hall: Hall, pose: PoseName, seed: number, options: { rows?: [number, number, number][]; bars?: boolean } = {}): string {
  const floor = new Floor(430, 800)
  const next = people(seed)
  const rows = options.rows ?? [[9, 5, 2.3], [5.4, 4, 2.2], [2.2, 3, 2.4]]
  return (
    closer(room(hall, floor, { bars: options.bars ?? true }) +
    rows.map(([z, count, gap], row) => range(count).map(i => standing(floor, pose, (i - (count - 1) / 2) * gap + (row % 2) * 0.3, z, next(), { flip: pose === 'lunge' && row === 1 })).join('')).join(''), 1.42, 800, 610)
  )
}

export function smash(): string {
  const next = people(5)
  const look = { ...next(), top: colours.sun, bottom: colours.ink, bareLegs: true, style: 'bun' as const }
  const [x, y, size] = [560, 1010, 800]
  const hand: Point = [x + 25 * 8, y - 99 * 8]
  return (
    shade(0, 0, width, height, [colours.plum, '#6b1d40']) +
    stroke('M-40 930H1640', colours.white, 12, { opacity: 0.35 }) + stroke('M1180 -40V1110', colours.white, 12, { opacity: 0.25 }) +
    stroke('M1000 -40V420Q1000 700 1280 700H1700', colours.signal, 20) + stroke('M1080 -40V380Q1080 610 1310 610H1700', colours.sky, 20) +
    circle(1290, 250, 300, 'none', { stroke: colours.sun, 'stroke-width': 20 }) +
    ellipse(x + 20, 1012, 240, 26, '#000000', { opacity: 0.25 }) + figure('smash', x, y, size, look) +
    stroke(through([hand, [hand[0] + 52, hand[1] - 74]]), colours.paper, 16) +
    group(ellipse(0, 0, 84, 108, '#ffffff22', { stroke: colours.paper, 'stroke-width': 13 }) + range(6).map(i => stroke(`M${-60 + i * 24} -84V84M-76 ${-70 + i * 28}H76`, colours.paper, 2.5, { opacity: 0.6 })).join(''), { transform: `translate(${hand[0] + 106} ${hand[1] - 152}) rotate(35)` }) +
    group(shape('M0 0L-58 -30Q-70 0 -58 30Z', colours.paper) + circle(4, 0, 17, colours.signal) + stroke('M-6 -6L-58 -22M-6 0H-64M-6 6L-58 22', '#10262a55', 3), { transform: 'translate(1230 260) rotate(158)' }) +
    stroke('M1310 226Q1450 170 1590 190M1322 256Q1440 226 1560 236', colours.paper, 5, { opacity: 0.5 })
  )
}

export function tableTennis(): string {
  const floor = new Floor(400, 800)
  const next = people(23)
  const top = 0.76
  const corner = (x: number, z: number) => floor.at(x, z, top)
  const table = [corner(-2, 3), corner(2, 3), corner(2, 6.6), corner(-2, 6.6)]
  return (
    closer(room(halls.green, floor, {}) + standing(floor, 'smash', 0.5, 7.6, next(), { flip: true }) + standing(floor, 'stand', -4.4, 7.4, next()) + standing(floor, 'cheer', 4.2, 7.8, next()) +
    polygon(table.map(([x, y]): Point => [x + 8, y + 130]), '#000000', { opacity: 0.22 }) +
    stroke(through([corner(-1.7, 3.1), floor.at(-1.7, 3.1)]) + through([corner(1.7, 3.1), floor.at(1.7, 3.1)]), colours.ink, 14) +
    polygon(table, colours.blue) + polygon(table, 'none', { stroke: colours.white, 'stroke-width': 9 }) + stroke(through([corner(0, 3), corner(0, 6.6)]), colours.white, 4) +
    polygon([floor.at(-2.15, 4.8, 0.76), floor.at(2.15, 4.8, 0.76), floor.at(2.15, 4.8, 0.95), floor.at(-2.15, 4.8, 0.95)], '#ffffff66', { stroke: colours.white, 'stroke-width': 4 }) +
    circle(...floor.at(0.75, 3.9, 1.35), 15, colours.sun) + stroke(through([floor.at(-0.3, 4.5, 1.45), floor.at(0.1, 4.35, 1.5), floor.at(0.5, 4.05, 1.44)]), colours.sun, 5, { opacity: 0.55 }) +
    standing(floor, 'smash', -0.7, 1.5, { ...next(), top: colours.signal }), 1.3, 790, 600)
  )
}

export function hoop(): string {
  const random = chance(4)
  const rays = range(9).map(i => polygon([[1150, -200], [-200 + i * 260, 1200], [-80 + i * 260 + random() * 40, 1200]], colours.sun, { opacity: 0.06 }))
  const ring = (y: number, front: boolean) => stroke(`M560 ${y}A240 74 0 0 ${front ? 0 : 1} 1040 ${y}`, colours.signal, 24)
  const nets = range(11).map(i => {
    const a = -230 + i * 46
    return stroke(`M${800 + a} ${430 + Math.sqrt(Math.max(0, 1 - (a / 240) ** 2)) * 72}Q${800 + a * 0.72} 590 ${800 + a * 0.52 + (i % 2 ? 22 : -22)} 742`, colours.paper, 6, { opacity: 0.9 })
  })
  const loops = range(3).map(i => stroke(wave(800 - 200 + i * 26, 800 + 180 - i * 26, 560 + i * 66, 64, 34), colours.paper, 5, { opacity: 0.75 }))
  return (
    shade(0, 0, width, height, [colours.hall, colours.deep]) + rays.join('') +
    stroke('M-40 1000Q800 720 1640 1000', colours.sky, 18, { opacity: 0.9 }) + stroke('M-40 1060Q800 790 1640 1060', colours.white, 12, { opacity: 0.4 }) +
    rect(410, 20, 780, 400, '#f6f4ef', { rx: 18 }) + rect(432, 42, 736, 356, 'none', { stroke: colours.hall, 'stroke-width': 10, rx: 8 }) + rect(640, 170, 320, 206, 'none', { stroke: colours.signal, 'stroke-width': 14 }) +
    ring(430, false) + ball(905, 300, 112, '#e07a2c') + nets.join('') + loops.join('') + ring(430, true) + rect(740, 396, 120, 42, colours.rust, { rx: 8 })
  )
}

export function cakes(): string {
  const slice = (x: number, y: number, layers: string[], top: string) =>
    group(
      ellipse(70, 168, 150, 22, '#000000', { opacity: 0.14 }) + ellipse(70, 160, 140, 24, colours.white) +
      layers.map((colour, i) => polygon([[-40, 150 - i * 34], [180, 150 - i * 34], [180, 116 - i * 34], [-40, 116 - i * 34]], colour)).join('') +
      shape(`M-40 ${150 - layers.length * 34}L70 ${96 - layers.length * 34}L180 ${150 - layers.length * 34}Z`, top) + circle(70, 118 - layers.length * 34, 15, colours.berry),
      { transform: `translate(${x} ${y}) scale(1.75)` })
  const garland = range(15).map(i => polygon([[i * 116 - 40, 120 + Math.sin(i / 14 * Math.PI) * 70], [i * 116 + 40, 124 + Math.sin((i + 0.7) / 14 * Math.PI) * 70], [i * 116, 210 + Math.sin(i / 14 * Math.PI) * 70]], [colours.signal, colours.sun, colours.sky, colours.berry, colours.moss][i % 5] ?? colours.sun))
  return (
    shade(0, 0, width, height, ['#cfe3df', '#eaf3ef']) + stroke('M-20 110Q800 280 1620 110', colours.hall, 6) + garland.join('') +
    rect(0, 560, width, 510, colours.paper) + range(14).map(i => rect(i * 120, 560, 60, 510, colours.signal, { opacity: 0.09 })).join('') + rect(0, 552, width, 16, '#000000', { opacity: 0.1 }) +
    slice(130, 420, ['#7a4326', '#f3e3c8', '#7a4326'], '#5b2f1a') + slice(560, 500, ['#f1cf86', '#fbeecb', '#f1cf86', '#fbeecb'], colours.sun) + slice(1000, 410, ['#efb6c4', '#fdf0f0', '#efb6c4'], '#d9638a') +
    group(rect(0, 0, 150, 190, colours.hall, { rx: 22 }) + stroke('M150 50Q220 50 220 100T150 150', colours.hall, 22) + rect(30, -46, 90, 50, colours.deep, { rx: 12 }) + stroke('M40 -80q14 -24 0 -48t0 -48M92 -80q14 -24 0 -48t0 -48', '#ffffff', 8, { opacity: 0.8 }), { transform: 'translate(1390 470) scale(1.15)' }) +
    range(5).map(i => group(ellipse(0, 46, 66, 14, colours.white) + shape('M-40 -20H40L32 40H-32Z', [colours.sky, colours.sun, colours.berry, colours.moss, colours.signal][i] ?? colours.sky), { transform: `translate(${170 + i * 310} 930) scale(1.35)` })).join('')
  )
}

export function teamPhoto(hall: Hall, seed: number, cup: boolean): string {
  const floor = new Floor(420, 800)
  const next = people(seed)
  const back: PoseName[] = ['cheer', 'stand', 'reach', 'stand', 'cheer', 'stand']
  return (
    closer(room(hall, floor, {}) + back.map((pose, i) => standing(floor, pose, (i - 2.5) * 1.12, 4.2, next(), { flip: i > 2 })).join('') +
    range(5).map(i => standing(floor, 'sit', (i - 2) * 1.35, 2.4, next(), { metres: 1.85 })).join('') +
    (cup ? group(shape('M-60 -150H60Q60 -40 0 -30Q-60 -40 -60 -150Z', colours.sun) + stroke('M-60 -130Q-110 -120 -60 -80M60 -130Q110 -120 60 -80', colours.sun, 12) + rect(-10, -34, 20, 40, colours.sun) + rect(-48, 4, 96, 26, colours.ochre, { rx: 6 }), { transform: `translate(800 960) scale(1.15)` }) : ball(805, 900, 62, colours.sky)), 1.3, 800, 640)
  )
}

/** The floor from above: lines, a ball, and the long shadow of a player. */
export function fromAbove(seed: number, ground: string, dark: string): string {
  const next = people(seed)
  return (
    rect(0, 0, width, height, ground) + range(11).map(i => rect(0, i * 100, width, 3, '#000000', { opacity: 0.06 })).join('') +
    stroke('M-40 860H1640', colours.white, 26, { opacity: 0.9 }) + stroke('M330 -40V1120', colours.white, 26, { opacity: 0.9 }) +
    circle(1180, 330, 430, 'none', { stroke: colours.sun, 'stroke-width': 28 }) +
    stroke('M560 -40V340Q560 640 860 640H1700', colours.signal, 28) + stroke('M650 -40V300Q650 540 890 540H1700', colours.sky, 28) +
    group(figure('reach', 0, 0, 900, next(), { tint: dark }), { transform: 'translate(420 1120) skewX(-38) scale(1 .92)', opacity: 0.34 }) +
    ellipse(1122, 470, 96, 84, dark, { opacity: 0.4 }) + ball(1090, 430, 92)
  )
}

export function bigPlank(): string {
  const look = { ...people(3)(), top: colours.signal, bottom: colours.ink, bareLegs: false, style: 'bun' as const }
  return (
    shade(0, 0, width, height, ['#f4e6d2', '#e9cfa8']) + stroke('M-40 300Q420 120 800 300T1640 260', colours.sun, 24) + stroke('M-40 380Q420 200 800 380T1640 340', colours.signal, 24) + stroke('M-40 460Q420 280 800 460T1640 420', colours.sky, 24) +
    shade(0, 760, width, 310, ['#c98d4f', '#b67838']) + shape('M120 900H1460L1540 1000H60Z', colours.hall) + shape('M60 1000H1540V1024H60Z', colours.deep) +
    ellipse(820, 952, 640, 26, '#000000', { opacity: 0.25 }) + figure('plank', 780, 960, 1120, look)
  )
}

export function matsFromAbove(): string {
  const next = people(77)
  const mats = range(8).map(i => {
    const x = 130 + (i % 4) * 360
    const y = 70 + Math.floor(i / 4) * 500
    const colour = [colours.hall, colours.berry, colours.blue, colours.moss, colours.violet, colours.rust, colours.hall, colours.berry][i] ?? colours.hall
    return rect(x + 10, y + 12, 250, 430, '#000000', { rx: 22, opacity: 0.16 }) + rect(x, y, 250, 430, colour, { rx: 22 }) + rect(x + 14, y + 14, 222, 402, 'none', { rx: 14, stroke: '#ffffff', 'stroke-width': 3, opacity: 0.35 }) +
      figure((['star', 'stand', 'reach', 'tree', 'star', 'bend', 'reach', 'star'] as const)[i] ?? 'star', x + 125, y + 405, 345, next())
  })
  return rect(0, 0, width, height, '#e3b77f') + range(27).map(i => rect(i * 62, 0, 3, height, '#000000', { opacity: 0.06 })).join('') + stroke('M-40 535H1640', colours.white, 18) + circle(800, 535, 330, 'none', { stroke: colours.sun, 'stroke-width': 20 }) + mats.join('')
}

export function equipment(): string {
  return (
    shade(0, 0, width, height, ['#0f5a60', colours.deep]) + circle(1130, 380, 330, 'none', { stroke: colours.sun, 'stroke-width': 20, opacity: 0.8 }) + stroke('M200 -40V480Q200 720 460 720H1640', colours.signal, 20, { opacity: 0.85 }) +
    shade(0, 800, width, 270, ['#d79d5f', '#c28344']) + rect(0, 796, width, 8, '#000000', { opacity: 0.2 }) +
    ellipse(500, 905, 290, 28, '#000000', { opacity: 0.25 }) + circle(500, 640, 270, colours.sky) + range(4).map(i => ellipse(500, 640, 270, 70 + i * 62, 'none', { stroke: '#ffffff', 'stroke-width': 5, opacity: 0.25 })).join('') + glow(400, 520, 170, '#ffffff', 0.5) +
    ellipse(1010, 935, 180, 20, '#000000', { opacity: 0.25 }) + rect(850, 810, 320, 120, colours.berry, { rx: 60 }) + circle(1170, 870, 60, '#d95f8a') + circle(1170, 870, 26, colours.plum) + range(5).map(i => stroke(`M${890 + i * 52} 812V928`, '#ffffff', 4, { opacity: 0.25 })).join('') +
    ellipse(1390, 935, 130, 16, '#000000', { opacity: 0.25 }) + shape('M1320 800Q1290 930 1340 930H1440Q1490 930 1460 800Q1390 760 1320 800Z', colours.ink) + stroke('M1335 800Q1330 700 1390 700T1445 800', colours.ink, 30) + circle(1390, 862, 34, colours.sun) +
    stroke('M60 1000C260 940 420 1050 620 990S900 960 1050 1010S1300 1040 1560 985', colours.sun, 26)
  )
}

export function circleUp(): string {
  const floor = new Floor(400, 800)
  const next = people(51)
  const around = range(10).map(i => {
    const angle = (i / 10) * Math.PI * 2 + 0.2
    return [Math.cos(angle) * 3.3, 5.1 + Math.sin(angle) * 2.6] as Point
  }).sort((a, b) => b[1] - a[1])
  return closer(room(halls.evening, floor, { bars: true }) + around.map(([x, z], i) => standing(floor, i % 3 === 0 ? 'reach' : i % 3 === 1 ? 'cheer' : 'star', x, z, next(), { flip: x > 0 })).join(''), 1.42, 800, 600)
}
