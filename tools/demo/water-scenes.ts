// Scenes on the river, in the dock and in the pool.
import { chance, circle, closer, colours, ellipse, Floor, glow, group, height, type Point, polygon, range, rect, ridge, shade, shape, stroke, through, wave, width } from './drawing.ts'
import { figure, type Look, people } from './figures.ts'

interface Sky {
  sky: string[]
  water: string[]
  hills: string[]
  sun: string
}

export const skies = {
  dawn: { sky: ['#27355c', '#8a5a80', '#ef9a6b', '#f9d08b'], water: ['#f0b27f', '#8d6488', '#2b3a5f'], hills: ['#b87a83', '#7d5a7d', '#3f3f66'], sun: '#fff0b8' },
  morning: { sky: ['#7fc1d8', '#c9e6e4', '#fbeecb'], water: ['#cfe9e2', '#5fb0b8', '#1f7480'], hills: ['#9cc7bd', '#5d9a8d', '#2f6f66'], sun: '#fff6cf' },
  noon: { sky: ['#3d8fd1', '#8cc7ea', '#d9f0f5'], water: ['#9bd5e6', '#3d9bc9', '#1a5f97'], hills: ['#8fbf9a', '#5d8a3a', '#3b6a35'], sun: '#ffffff' },
  dusk: { sky: ['#1b2347', '#5a4b9a', '#d9638a', '#f6a55a'], water: ['#e58a6a', '#7a4a86', '#1b2347'], hills: ['#8b4d78', '#5a3a6b', '#2a2a4f'], sun: '#ffe2a0' },
} satisfies Record<string, Sky>

/** Sky, sun, hills and water with reflections. */
function bay(sky: Sky, seed: number, options: { horizon?: number; sun?: Point; r?: number } = {}): string {
  const random = chance(seed)
  const horizon = options.horizon ?? 500
  const [sx, sy] = options.sun ?? [1130, horizon - 120]
  const r = options.r ?? 92
  const path = range(15).map(i => {
    const y = horizon + 18 + i * i * 2.6
    const half = 60 + i * 9 + random() * 60
    return stroke(`M${sx - half + random() * 40} ${y}H${sx + half - random() * 40}`, sky.sun, 4 + i * 0.7, { opacity: 0.75 - i * 0.035 })
  })
  const ripples = range(26).map(() => {
    const y = horizon + 24 + random() * (height - horizon)
    const near = (y - horizon) / (height - horizon)
    const x = random() * width
    return stroke(wave(x, x + 120 + near * 260, y, 60 + near * 90, 4 + near * 10), '#ffffff', 2 + near * 4, { opacity: 0.12 + near * 0.14 })
  })
  return [
    shade(0, 0, width, horizon + 4, sky.sky), glow(sx, sy, r * 4.4, sky.sun, 0.75), circle(sx, sy, r, sky.sun),
    circle(sx, sy, r * 1.9, 'none', { stroke: sky.sun, 'stroke-width': 5, opacity: 0.45 }), circle(sx, sy, r * 2.7, 'none', { stroke: sky.sun, 'stroke-width': 4, opacity: 0.25 }),
    ridge(random, horizon - 110, 60, 330, sky.hills[0] ?? ''), ridge(random, horizon - 56, 40, 260, sky.hills[1] ?? ''), ridge(random, horizon - 20, 16, 190, sky.hills[2] ?? ''),
    shade(0, horizon, width, height - horizon, sky.water), ...path, ...ripples,
  ].join('')
}

function crew(x: number, y: number, scale: number, count: number, next: () => Look, options: { tint?: string; hull?: string; oars?: boolean } = {}): string {
  const hull = options.hull ?? colours.paper
  const gap = 112
  const length = count * gap + 210
  const boat = shape(`M${-length / 2} -6Q0 40 ${length / 2} -6Q0 10 ${-length / 2} -6Z`, options.tint ?? hull) + stroke(`M${-length / 2 + 30} 4Q0 30 ${length / 2 - 30} 4`, options.tint ?? colours.signal, 5)
  const rowers = range(count).map(i => {
    const px = (i - (count - 1) / 2) * gap
    return figure('row', px, 8, 132, next(), { flip: true, tint: options.tint }) +
      (options.oars === false ? '' : stroke(`M${px + 34} -26L${px - 62} 56`, options.tint ?? '#f1e3c6', 6) + shape(`M${px - 54} 46l-30 10l-8 22l30 -8Z`, options.tint ?? colours.signal))
  })
  return group(boat + rowers.join(''), { transform: `translate(${x} ${y}) scale(${scale})` })
}

const mirrored = (content: string, y: number) => group(content, { transform: `translate(0 ${2 * y}) scale(1 -1)`, opacity: 0.22 })

export function rowing(sky: Sky, seed: number, count: number, scale = 1.5, sun?: Point): string {
  const y = 790
  const x = 760
  return (
    bay(sky, seed, { sun }) + mirrored(crew(x, y - 26, scale, count, people(seed), { tint: '#0b1d2f', oars: false }), y + 8) + crew(x, y, scale, count, people(seed)) +
    range(count + 1).map(i => stroke(wave(x - 560 + i * 250, x - 400 + i * 250, y + 92 + (i % 2) * 26, 70, 9), '#ffffff', 6, { opacity: 0.6 })).join('')
  )
}

/** A rowing eight from above, drawn in the style of court lines. */
export function boatFromAbove(seed: number): string {
  const next = people(seed)
  const seats = range(8).map(i => {
    const x = -490 + i * 140
    const side = i % 2 ? 1 : -1
    const look = next()
    return stroke(`M${x} 0L${x - 46} ${side * 245}`, '#f1e3c6', 9) + ellipse(x - 54, side * 280, 17, 46, colours.signal, { transform: `rotate(${side * 8} ${x - 54} ${side * 280})` }) +
      circle(x - 60, side * 320, 44, 'none', { stroke: '#ffffff', 'stroke-width': 5, opacity: 0.55 }) + circle(x - 160, side * 320, 66, 'none', { stroke: '#ffffff', 'stroke-width': 4, opacity: 0.3 }) +
      ellipse(x, 0, 38, 46, look.top) + circle(x + 8, 0, 23, look.hair)
  })
  return (
    shade(0, 0, width, height, ['#0f5a66', '#0a3c4a']) + range(9).map(i => stroke(wave(-80, width + 80, 60 + i * 125, 320, 34), '#ffffff', 7, { opacity: 0.07 })).join('') +
    stroke('M-60 180Q420 40 800 260T1660 240', colours.sun, 18, { opacity: 0.85 }) + stroke('M-60 950Q520 760 900 930T1660 830', colours.sky, 18, { opacity: 0.85 }) +
    group(shape('M-800 0Q-300 -66 0 -66T800 0Q300 66 0 66T-800 0Z', '#00000044', { transform: 'translate(18 30)' }) + shape('M-800 0Q-300 -62 0 -62T800 0Q300 62 0 62T-800 0Z', colours.paper) + shape('M-700 0Q-280 -40 0 -40T700 0Q280 40 0 40T-700 0Z', '#d8b98a') + seats.join('') + ellipse(640, 0, 22, 26, colours.berry) + circle(640, 0, 15, '#2b1d16'), { transform: 'translate(800 545) rotate(-13)' })
  )
}

export function boathouse(): string {
  const plank = range(9).map(i => rect(920 + i * 82, 842, 74, 20, '#8a5a36'))
  return (
    bay(skies.morning, 9, { horizon: 560, sun: [420, 360], r: 80 }) +
    range(3).map(i => rect(-40, 470 + i * 44, 1700, 26, '#ffffff', { rx: 13, opacity: 0.16 })).join('') +
    group(polygon([[980, 330], [1290, 170], [1600, 330], [1600, 720], [980, 720]], colours.deep) + polygon([[940, 340], [1290, 150], [1640, 340], [1640, 300], [1290, 108], [940, 300]], colours.signal) +
      range(2).map(i => rect(1040 + i * 270, 450, 220, 270, '#f3d9a6', { rx: 6 }) + range(4).map(n => stroke(`M${1066 + i * 270} ${510 + n * 50}H${1236 + i * 270}`, [colours.paper, colours.sun, colours.sky, colours.berry][n] ?? colours.sun, 16)).join('')).join('') + circle(1290, 300, 46, '#f3d9a6'), {}) +
    rect(900, 720, 740, 130, '#6f4526') + plank.join('') + range(5).map(i => rect(940 + i * 150, 850, 22, 170, '#4a2f1d')).join('') +
    figure('stand', 860 + 190, 845, 230, people(14)()) + stroke('M1092 845L1120 560', '#f1e3c6', 8) + ellipse(1122, 545, 15, 40, colours.signal) +
    crew(420, 830, 1.15, 1, people(4), { hull: colours.sun }) + stroke(wave(120, 760, 920, 120, 12), '#ffffff', 7, { opacity: 0.5 })
  )
}

export function harbour(sky: Sky, seed: number): string {
  const crane = (x: number, h: number) =>
    group(stroke(`M0 0V${-h}M-64 0L0 ${-h}L64 0M-40 ${-h * 0.38}H40M-22 ${-h * 0.68}H22`, '#10203a', 14) + stroke(`M-120 ${-h + 10}L250 ${-h - 80}M0 ${-h}L60 ${-h - 130}L250 ${-h - 80}M60 ${-h - 130}L-110 ${-h + 6}`, '#10203a', 11) + stroke(`M215 ${-h - 70}V${-h * 0.4}`, '#10203a', 4) + rect(196, -h * 0.4, 40, 34, colours.signal), { transform: `translate(${x} 560)` })
  return bay(sky, seed, { horizon: 560, sun: [640, 420], r: 110 }) + crane(200, 330) + crane(1050, 250) + crane(1380, 380) + rect(-20, 540, 1660, 30, '#10203a') + range(7).map(i => rect(560 + (i % 4) * 92, 478 - Math.floor(i / 4) * 44 + 22, 86, 40, [colours.rust, colours.hall, colours.blue, colours.plum][i % 4] ?? colours.hall)).join('') + crew(760, 860, 1.35, 2, people(seed)) + stroke(wave(300, 1240, 960, 150, 14), '#ffffff', 7, { opacity: 0.4 })
}

export function bridge(): string {
  return (
    bay(skies.dusk, 21, { horizon: 600, sun: [800, 470], r: 120 }) +
    shape('M-20 250H1620V660H1390A590 420 0 0 0 210 660H-20Z', '#141a3a') + stroke('M210 660A590 420 0 0 1 1390 660', colours.signal, 14) + stroke('M160 660A640 470 0 0 1 1440 660', '#f6c44588', 8) + rect(-20, 222, 1660, 34, '#0d1230') +
    range(20).map(i => stroke(`M${i * 86} 222V160`, '#0d1230', 8)).join('') + stroke('M-20 160H1640', '#0d1230', 10) + range(4).map(i => circle(200 + i * 400, 120, 16, colours.sun) + glow(200 + i * 400, 120, 70, colours.sun, 0.7) + stroke(`M${200 + i * 400} 136V222`, '#0d1230', 7)).join('') +
    figure('run', 560, 222, 150, people(2)(), { tint: '#0d1230' }) + crew(800, 850, 1.4, 4, people(33)) + stroke(wave(160, 1440, 960, 170, 14), '#ffffff', 6, { opacity: 0.35 })
  )
}

export function jettyBreakfast(): string {
  const plank = range(9).map(i => rect(-20, 60 + i * 122, 1010, 112, i % 2 ? '#b98550' : '#c4905a') + stroke(`M40 ${92 + i * 122}q200 14 420 0t500 6`, '#8a5a36', 3, { opacity: 0.4 }))
  const mug = (x: number, y: number, colour: string) => ellipse(x + 12, y + 18, 76, 76, '#000000', { opacity: 0.2 }) + stroke(`M${x + 60} ${y - 22}q56 22 0 52`, colour, 18) + circle(x, y, 70, colour) + circle(x, y, 54, '#3a2114') + stroke(`M${x - 26} ${y - 12}q26 -22 48 4`, '#7a4f30', 7)
  return (
    shade(0, 0, width, height, ['#2b8391', '#125565']) + range(8).map(i => stroke(wave(900, 1700, 90 + i * 140, 200, 22), '#ffffff', 7, { opacity: 0.16 })).join('') + stroke('M1230 -40Q1320 400 1210 700T1300 1120', colours.sun, 18) + stroke('M1330 -40Q1420 400 1310 700T1400 1120', colours.signal, 18) +
    rect(20, 30, 1000, 1060, '#000000', { opacity: 0.18 }) + plank.join('') + range(9).map(i => circle(950, 116 + i * 122, 8, '#6f4526')).join('') +
    group(rect(-14, -520, 28, 1040, '#f1e3c6', { rx: 14 }) + ellipse(0, -560, 46, 130, colours.signal) + ellipse(0, -560, 20, 100, '#ffffff33'), { transform: 'translate(690 640) rotate(28)' }) +
    mug(260, 300, colours.sun) + mug(440, 480, colours.paper) + mug(210, 620, colours.sky) + group(rect(-62, -150, 124, 300, colours.hall, { rx: 26 }) + rect(-46, -206, 92, 70, colours.deep, { rx: 14 }) + rect(-62, -60, 124, 26, colours.sun), { transform: 'translate(360 860) rotate(-64)' })
  )
}

export function paddlers(sky: Sky, seed: number, count: number, options: { fall?: boolean } = {}): string {
  const next = people(seed)
  const one = (x: number, y: number, size: number, tint?: string) => {
    const colour = [colours.signal, colours.sun, colours.berry][Math.round(x) % 3] ?? colours.sun
    return ellipse(x, y + size * 0.02, size * 0.62, size * 0.07, tint ?? colour) + ellipse(x, y, size * 0.56, size * 0.042, tint ?? '#ffffff', { opacity: tint ? 1 : 0.55 }) +
      figure('paddle', x, y + 4, size, next(), { tint }) + stroke(`M${x + size * 0.13} ${y - size * 0.98}L${x + size * 0.32} ${y + size * 0.1}`, tint ?? '#f1e3c6', size * 0.022) + ellipse(x + size * 0.33, y + size * 0.16, size * 0.035, size * 0.1, tint ?? colours.ink, { transform: `rotate(-10 ${x + size * 0.33} ${y + size * 0.16})` })
  }
  const points: Point[] = count === 1 ? [[700, 860]] : [[1180, 690], [760, 760], [360, 900]]
  const sizes = count === 1 ? [560] : [270, 340, 450]
  const swimmer = options.fall
    ? group(
        shape('M-330 -40Q-60 -120 250 -30Q-20 30 -330 -40Z', colours.berry) + stroke('M-300 -42Q-60 -80 220 -32', '#ffffff', 5, { opacity: 0.6 }) +
        range(13).map(i => stroke(`M${-170 + i * 28} 40q${(i - 6) * 9} ${-110 - (i % 3) * 70} ${(i - 6) * 24} ${-70 - (i % 4) * 40}`, '#ffffff', 9, { opacity: 0.85 })).join('') +
        ellipse(0, 50, 250, 36, '#ffffff', { opacity: 0.55 }) + stroke('M-30 30Q-110 -40 -96 -130M34 30Q120 -20 128 -112', '#e0ac7e', 32) + circle(0, -30, 52, '#e0ac7e') + shape('M-54 -26A54 54 0 0 1 54 -26Q0 -64 -54 -26Z', '#4a2f1d') + shape('M-80 52Q-70 10 0 12T80 52Z', colours.sun) + ellipse(0, 60, 190, 18, '#7cc6e4') + stroke(wave(-200, 200, 62, 100, 14), '#ffffff', 8),
        { transform: 'translate(1150 890)' })
    : ''
  return bay(sky, seed, { sun: count === 1 ? [980, 400] : [1240, 330] }) + points.slice(0, options.fall ? 2 : count).map(([x, y], i) => mirrored(one(x, y, sizes[i] ?? 300, '#0b1d2f'), y + 12) + one(x, y, sizes[i] ?? 300) + stroke(wave(x - 240, x + 240, y + 60, 110, 10), '#ffffff', 6, { opacity: 0.5 })).join('') + swimmer
}

export function boardsFromAbove(): string {
  const next = people(61)
  const board = (x: number, y: number, turn: number, colour: string) => {
    const look = next()
    return group(shape('M0 -330Q110 -250 104 0T0 330Q-110 250 -104 0T0 -330Z', '#000000', { opacity: 0.18, transform: 'translate(26 34)' }) + shape('M0 -330Q110 -250 104 0T0 330Q-110 250 -104 0T0 -330Z', colour) + shape('M0 -240Q70 -180 66 0T0 200Q-66 160 -66 0T0 -240Z', '#ffffff', { opacity: 0.35 }) + stroke('M0 -310V310', '#ffffff', 5, { opacity: 0.6 }) +
      stroke('M30 -10L190 -180', '#f1e3c6', 11) + ellipse(206, -198, 22, 50, colours.ink, { transform: 'rotate(44 206 -198)' }) + stroke('M-38 0L60 -46M38 0L104 -86', look.skin, 22) + ellipse(0, 0, 56, 40, look.top) + circle(0, -8, 32, look.style === 'cap' ? look.top : look.hair), { transform: `translate(${x} ${y}) rotate(${turn})` })
  }
  return shade(0, 0, width, height, ['#5cc0c4', '#1f7f9a']) + range(10).map(i => stroke(wave(-100, 1700, 40 + i * 118, 260, 40), '#ffffff', 8, { opacity: 0.13 })).join('') + stroke('M-40 240Q500 40 860 420T1660 620', colours.sun, 20) + stroke('M-40 340Q460 140 800 500T1660 760', colours.signal, 20) + board(330, 560, 24, colours.signal) + board(820, 640, 12, colours.sun) + board(1290, 430, 30, colours.berry)
}

export function boardsAtWall(): string {
  const colour = [colours.signal, colours.sun, colours.sky, colours.berry, colours.moss, colours.paper]
  return shade(0, 0, width, height, ['#7a4a2c', '#96603a']) + range(17).map(i => rect(i * 98, 0, 5, 900, '#000000', { opacity: 0.16 })).join('') + rect(0, 880, width, 190, '#c9b48c') + rect(0, 874, width, 10, '#000000', { opacity: 0.2 }) +
    range(6).map(i => group(ellipse(30, 4, 110, 20, '#000000', { opacity: 0.25 }) + shape('M0 -760Q118 -600 112 -330T0 0Q-112 -60 -112 -330T0 -760Z', '#000000', { opacity: 0.2, transform: 'translate(26 8)' }) + shape('M0 -760Q118 -600 112 -330T0 0Q-112 -60 -112 -330T0 -760Z', colour[i] ?? colours.sun) + shape('M0 -560Q70 -460 68 -330T0 -120Q-68 -160 -68 -330T0 -560Z', '#ffffff', { opacity: 0.3 }) + stroke('M-104 -420Q0 -470 104 -420M-108 -380Q0 -430 108 -380', i === 1 ? colours.hall : '#ffffff', 9), { transform: `translate(${180 + i * 250} ${930 + (i % 2) * 20}) rotate(${-3 + i * 1.3})` })).join('') + stroke('M-40 1020Q400 960 800 1010T1640 990', colours.hall, 14, { opacity: 0.35 })
}

export function poolHall(seed: number, evening: boolean): string {
  const floor = new Floor(380, 800, 1150, 2.4)
  const random = chance(seed)
  const next = people(seed)
  const [, foot] = floor.at(0, 17)
  const lanes = range(7).map(i => {
    const x = -7.2 + i * 2.4
    return range(34).map(n => floor.line([[x, 16.6 - n * 0.56], [x, 16.6 - n * 0.56 - 0.5]], n % 4 < 2 ? colours.signal : colours.white, 0.07)).join('')
  })
  const light = range(70).map(() => {
    const [x, y] = floor.at(-9 + random() * 18, -1.5 + random() * 18)
    const near = (y - foot) / (height - foot)
    return stroke(wave(x, x + 30 + near * 190, y, 30 + near * 70, 2 + near * 12), evening ? colours.sun : '#ffffff', 1.5 + near * 5, { opacity: 0.28 })
  })
  const swimmers = [[-6, 11], [-3.6, 6.5], [-1.2, 12], [1.2, 4.2], [3.6, 9], [6, 6]].map(([x, z], i) => {
    const [px, py] = floor.at(x ?? 0, z ?? 0)
    const s = floor.scale(z ?? 0) / 100
    const look = next()
    return ellipse(px, py + 14 * s, 62 * s, 12 * s, '#ffffff', { opacity: 0.55 }) + stroke(`M${px + 20 * s} ${py}Q${px + 46 * s} ${py - 58 * s} ${px + 70 * s} ${py + 4 * s}`, look.skin, 15 * s) + circle(px, py - 6 * s, 24 * s, [colours.signal, colours.sun, colours.berry, colours.paper][i % 4] ?? colours.sun) + stroke(`M${px - 18 * s} ${py + 2 * s}H${px + 18 * s}`, colours.ink, 7 * s)
  })
  const windows = range(6).map(i => rect(60 + i * 260, 60, 200, foot - 190, evening ? '#1a2350' : '#dff3f7', { rx: 4 }) + (evening ? circle(100 + i * 260 + random() * 100, 90 + random() * 60, 3, '#ffffff') : ''))
  return closer(
    shade(0, 0, width, foot, evening ? ['#28305a', '#3f3a6b'] : ['#e9f5f5', '#cfe7e8']) + windows.join('') + (evening ? circle(1010, 120, 34, '#fff0b8') + range(6).map(i => glow(160 + i * 260, 30, 170, colours.sun, 0.5)).join('') : '') +
    rect(0, foot - 62, width, 62, evening ? '#d9b48a' : '#f3efe4') + range(6).map(i => group(rect(-34, -64, 68, 50, colours.hall, { rx: 6 }) + rect(-40, -74, 80, 14, colours.paper, { rx: 5 }), { transform: `translate(${floor.at(-6 + i * 2.4, 17)[0]} ${foot - 14}) scale(.55)` })).join('') +
    shade(0, foot, width, height - foot, evening ? ['#3c6fa8', '#1f4f8f', '#16335f'] : ['#9fe0e8', '#43b3cf', '#1f85b5']) + light.join('') + lanes.join('') + swimmers.join(''), 1.12, 800, 560)
}

export function lanesFromAbove(seed: number): string {
  const next = people(seed)
  const lanes = range(6).map(i => range(40).map(n => circle(n * 42 + 10, i * 214, 15, (n >> 2) % 2 ? colours.signal : colours.white)).join(''))
  const swimmer = (x: number, y: number, flip: boolean, cap: string) => {
    const look = next()
    return group(range(4).map(i => stroke(`M${-170 - i * 60} ${-44 - i * 10}q-50 ${44 + i * 10} 0 ${88 + i * 20}`, '#ffffff', 8, { opacity: 0.6 - i * 0.13 })).join('') + stroke('M-40 -14L-160 -22M-40 14L-160 26', look.skin, 24) + stroke('M50 -34Q120 -80 190 -52', look.skin, 22) + stroke('M46 34Q-20 76 -80 62', look.skin, 22) + ellipse(0, 0, 86, 44, look.top) + ellipse(-40, 0, 48, 36, look.top) + circle(104, 0, 34, cap) + stroke('M104 -34V34', '#ffffff', 4, { opacity: 0.5 }), { transform: `translate(${x} ${y}) scale(${flip ? -1 : 1} 1)` })
  }
  return shade(0, 0, width, height, ['#45b8d4', '#2490bd']) + range(12).map(i => stroke(wave(-60, 1700, 30 + i * 96, 180 + (i % 3) * 40, 24), '#ffffff', 6, { opacity: 0.16 })).join('') + range(5).map(i => rect(0, i * 214 + 96, width, 22, '#0d4f7a', { opacity: 0.35 })).join('') + lanes.join('') + swimmer(420, 107, false, colours.sun) + swimmer(1130, 321, true, colours.berry) + swimmer(640, 535, false, colours.paper) + swimmer(1240, 749, false, colours.signal) + swimmer(420, 963, true, colours.moss)
}

export function aquaClass(): string {
  const next = people(71)
  const rows: [number, number, number, number][] = [[560, 6, 250, 260], [740, 5, 300, 340], [960, 4, 390, 440]]
  const noodle = [colours.signal, colours.sun, colours.berry, colours.moss]
  return (
    shade(0, 0, width, 430, ['#f3f7f4', '#d5ebea']) + range(20).map(i => rect(i * 84, 0, 3, 430, '#ffffff', { opacity: 0.8 })).join('') + range(6).map(i => rect(0, i * 80, width, 3, '#ffffff', { opacity: 0.8 })).join('') + stroke('M-40 320Q400 230 800 320T1640 300', colours.sky, 20) + stroke('M-40 250Q400 160 800 250T1640 230', colours.sun, 20) +
    shade(0, 420, width, 650, ['#a9e3e8', '#3fb0cc', '#1f7fb0']) +
    rows.map(([y, count, gap, size], row) => range(count).map(i => {
      const x = 800 + (i - (count - 1) / 2) * gap
      return figure('reach', x, y + size * 0.56, size, next()) + stroke(`M${x - size * 0.15} ${y - size * 0.5}Q${x} ${y - size * 0.72} ${x + size * 0.15} ${y - size * 0.5}`, noodle[(i + row) % 4] ?? colours.sun, size * 0.075)
    }).join('') + shape(`${wave(-60, 1720, y + 4, 150 + row * 60, 16 + row * 6)}V1100H-60Z`, ['#6fcbd8', '#45b5d0', '#2a93c0'][row] ?? '#2a93c0') + stroke(wave(-60, 1720, y + 4, 150 + row * 60, 16 + row * 6), '#ffffff', 5 + row * 2, { opacity: 0.55 })).join('')
  )
}

export function underwater(): string {
  const random = chance(12)
  const look = { ...people(9)(), top: colours.signal, skin: '#e0ac7e' }
  return (
    shade(0, 0, width, height, ['#7fd6e4', '#2f9dc4', '#0f4f86', '#0a2f5c']) + range(7).map(i => polygon([[200 + i * 210, 90], [280 + i * 210, 90], [120 + i * 200, 1100], [-120 + i * 200, 1100]], '#ffffff', { opacity: 0.09 })).join('') +
    shape(`${wave(-60, 1720, 96, 210, 26)}V-20H-60Z`, '#e4f6f4') + stroke(wave(-60, 1720, 96, 210, 26), '#ffffff', 10) +
    range(6).map(i => stroke(`M${i * 320 - 100} 1067L${320 + i * 190} 820`, '#ffffff', 5, { opacity: 0.12 })).join('') + stroke('M-20 820H1640', '#ffffff', 5, { opacity: 0.14 }) + stroke('M760 1067L790 820', '#07203f', 46, { opacity: 0.55 }) +
    group(stroke('M-180 8L-330 34L-470 8', look.skin, 40) + stroke('M-180 -6L-340 -24L-480 -66', look.skin, 40) + stroke('M-190 0L-230 6', colours.ink, 70) + stroke('M-170 0L120 -10', look.top, 86) + stroke('M140 -30Q260 -120 420 -96', look.skin, 34) + stroke('M110 20Q150 130 30 210', look.skin, 34) + circle(222, 4, 56, look.skin) + shape('M166 4A56 56 0 0 1 278 4Q222 -22 166 4Z', colours.sun) + stroke('M214 12H276', colours.ink, 15), { transform: 'translate(770 400) rotate(-4) scale(1.18)' }) +
    range(46).map(() => { const x = 300 + random() * 760; return circle(x, 240 + random() * 480, 4 + random() * 13, 'none', { stroke: '#ffffff', 'stroke-width': 3, opacity: 0.65 }) }).join('')
  )
}

export function aquaJogging(): string {
  const next = people(44)
  const jogger = (x: number, size: number, y: number) => figure('run', x, y, size, { ...next(), bareLegs: true }) + rect(x - size * 0.1, y - size * 0.6, size * 0.22, size * 0.075, colours.sun, { rx: 10 })
  return (
    shade(0, 0, width, 420, ['#fdf1d6', '#f4d9a8']) + range(5).map(i => rect(80 + i * 320, 40, 210, 220, '#f6a55a', { opacity: 0.55, rx: 6 })).join('') + shade(0, 330, width, 740, ['#5cc3d6', '#2a8fbb', '#114f83']) + range(6).map(i => polygon([[120 + i * 260, 360], [190 + i * 260, 360], [40 + i * 250, 1100], [-160 + i * 250, 1100]], '#ffffff', { opacity: 0.07 })).join('') +
    jogger(330, 560, 880) + jogger(820, 620, 930) + jogger(1290, 560, 890) + shape(`M-60 402${wave(-60, 1720, 402, 180, 18).slice(8)}V1100H-60Z`, '#2a8fbb', { opacity: 0.28 }) + stroke(wave(-60, 1720, 404, 180, 18), '#ffffff', 11, { opacity: 0.9 }) + range(20).map(i => circle(160 + ((i * 197) % 1300), 560 + ((i * 131) % 430), 6 + (i % 4) * 4, 'none', { stroke: '#ffffff', 'stroke-width': 3, opacity: 0.5 })).join('')
  )
}

export const boatSchool = (): string => bay(skies.noon, 18, { sun: [260, 250] }) + crew(820, 800, 1.45, 4, people(88), { hull: colours.sun }) + stroke(through([[0, 1000], [1600, 960]]), '#ffffff', 4, { opacity: 0.3 }) + stroke(wave(160, 1500, 910, 190, 14), '#ffffff', 7, { opacity: 0.5 })
