// Scenes on forest paths and hills.
import { chance, circle, closer, colours, ellipse, glow, group, height, type Point, polygon, range, rect, ridge, shade, shape, stroke, wave, width } from './drawing.ts'
import { figure, footprint, type PoseName, people } from './figures.ts'

interface Season {
  sky: string[]
  far: string
  trunks: [string, string, string]
  crowns: string[]
  ground: string[]
  path: string
}

export const forests = {
  autumn: { sky: ['#f8e7bf', '#f1c587'], far: '#d99a55', trunks: ['#b98a5a', '#7a4f30', '#3f2a1d'], crowns: ['#e8a03a', '#d9682c', '#c2410c', '#f6c445'], ground: ['#c98a45', '#8f5a2c'], path: '#f1dcae' },
  spring: { sky: ['#e6f4e2', '#b9dfbd'], far: '#9ccb95', trunks: ['#8fae86', '#5d7a4f', '#2f4a33'], crowns: ['#8fbf5a', '#5d8a3a', '#b5d36a', '#3f7a3f'], ground: ['#86b45c', '#4c7a2c'], path: '#f3e7c4' },
  winter: { sky: ['#cfe3f2', '#f7dcd0'], far: '#b9cfe0', trunks: ['#9fb3c4', '#5f7488', '#33475a'], crowns: ['#ffffff', '#e4eef5', '#d2e2ee', '#f4f8fb'], ground: ['#f2f7fb', '#c9dbe8'], path: '#ffffff' },
  night: { sky: ['#0b1730', '#16305a'], far: '#12264a', trunks: ['#17335a', '#0e2344', '#071428'], crowns: ['#12294d', '#0d2040', '#17335a', '#0a1a35'], ground: ['#12284a', '#0a1730'], path: '#2b4a78' },
} satisfies Record<string, Season>

function wood(season: Season, seed: number): string {
  const random = chance(seed)
  const layer = (count: number, foot: number, w: number, colour: string, crown: number) =>
    range(count).map(i => {
      const x = ((i + random() * 0.7) / count) * (width + 200) - 100
      const middle = Math.abs(x - 800) < 210 + w * 3
      const lean = (random() - 0.5) * 30
      const leaf = season.crowns[Math.floor(random() * season.crowns.length)] ?? ''
      const trunk = middle && w > 20 ? '' : polygon([[x - w / 2, foot + random() * 14], [x + w / 2, foot + random() * 14], [x + lean + w * 0.3, -20], [x + lean - w * 0.3, -20]], colour)
      return trunk + circle(x + lean, random() * 120 - 20, crown * (0.7 + random() * 0.6), leaf, { opacity: 0.92 })
    }).join('')
  return (
    shade(0, 0, width, 620, season.sky) + ridge(random, 500, 36, 260, season.far) + layer(17, 560, 16, season.trunks[0], 110) +
    shade(0, 555, width, 520, season.ground) + shape('M770 555H830Q900 680 760 780T980 1090H240Q420 860 600 770T770 555Z', season.path) +
    stroke('M792 560Q850 680 712 780T620 1090', '#ffffff', 5, { opacity: 0.55 }) + stroke('M808 560Q872 690 738 790T800 1090', '#ffffff', 5, { opacity: 0.55 }) + layer(9, 640, 40, season.trunks[1], 170)
  )
}

const foreground = (season: Season, seed: number): string => {
  const random = chance(seed)
  return [60, 1500].map((x, i) => polygon([[x - 80, 1090], [x + 80, 1090], [x + 46 + (i ? -20 : 20), -20], [x - 46, -20]], season.trunks[2])).join('') +
    range(11).map(() => circle(random() * width, random() * 70 - 20, 90 + random() * 90, season.crowns[Math.floor(random() * season.crowns.length)] ?? '')).join('') +
    range(34).map(() => { const x = random() * width; const y = 640 + random() * 420; return ellipse(x, y, 13, 6, season.crowns[Math.floor(random() * season.crowns.length)] ?? '', { transform: `rotate(${Math.round(random() * 90 - 45)} ${Math.round(x)} ${Math.round(y)})`, opacity: 0.85 }) }).join('')
}

export function forestPath(season: Season, seed: number, runners: [PoseName, number, number, number][]): string {
  const next = people(seed)
  return wood(season, seed) + runners.map(([pose, x, y, size]) => footprint(x, y, size) + figure(pose, x, y, size, season === forests.winter ? { ...next(), bareLegs: false } : next())).join('') + foreground(season, seed + 1)
}

export function headTorches(): string {
  const next = people(19)
  const runner = (x: number, y: number, size: number) => {
    const hx = x + size * 0.2
    const hy = y - size * 0.92
    return polygon([[hx, hy], [hx + size * 2.1, hy + size * 0.1], [hx + size * 1.9, hy + size * 1.05]], colours.sun, { opacity: 0.2 }) + polygon([[hx, hy], [hx + size * 1.5, hy + size * 0.3], [hx + size * 1.4, hy + size * 0.85]], '#fff6d0', { opacity: 0.2 }) + footprint(x, y, size, 0.4) + figure('run', x, y, size, next()) + circle(hx, hy, size * 0.035, '#fff6d0') + glow(hx, hy, size * 0.22, '#fff6d0', 0.9) + stroke(`M${x - size * 0.02} ${y - size * 0.66}L${x + size * 0.06} ${y - size * 0.74}`, colours.sun, size * 0.03)
  }
  return closer(wood(forests.night, 40) + range(24).map(i => circle((i * 211) % 1600, (i * 97) % 300, 2.5, '#ffffff', { opacity: 0.8 })).join('') + circle(1270, 130, 62, '#fdf3cf') + runner(890, 770, 230) + runner(560, 860, 330) + runner(240, 1010, 470) + foreground({ ...forests.night, crowns: ['#0a1a35', '#0d2040'] }, 41), 1.04)
}

/** Hills drawn as stacked running lanes, with small runners on them. */
export function hillLanes(): string {
  const lanes = [colours.sun, '#e8902f', colours.signal, colours.rust, colours.plum, colours.violet, colours.blue, colours.hall]
  const band = (i: number) => `M-40 ${390 + i * 92}C300 ${230 + i * 96} 560 ${600 + i * 60} 900 ${430 + i * 84}S1400 ${300 + i * 100} 1660 ${440 + i * 88}`
  const next = people(90)
  return (
    shade(0, 0, width, 760, ['#bfe3e6', '#fbeecb']) + circle(1240, 220, 100, '#fff6cf') + circle(1240, 220, 170, 'none', { stroke: '#ffffff', 'stroke-width': 6, opacity: 0.6 }) + lanes.map((colour, i) => shape(`${band(i)}V1100H-40Z`, colour) + stroke(band(i), '#ffffff', 7, { opacity: 0.75 })).join('') +
    [[180, 345, 90], [300, 382, 90], [960, 412, 90], [1080, 372, 90], [560, 596, 130], [700, 622, 130], [1180, 640, 150], [330, 826, 190], [1010, 902, 210]].map(([x, y, size]) => figure('run', x ?? 0, y ?? 0, size ?? 100, next())).join('')
  )
}

export function trailFromAbove(): string {
  const random = chance(66)
  const next = people(67)
  const leaves = range(130).map(() => { const x = random() * width; const y = random() * height; return ellipse(x, y, 20, 9, forests.autumn.crowns[Math.floor(random() * 4)] ?? '', { transform: `rotate(${Math.round(random() * 180)} ${Math.round(x)} ${Math.round(y)})` }) })
  const runner = (x: number, y: number, turn: number) => { const look = next(); return group(group(figure('run', 0, 0, 330, look, { tint: '#2a1608' }), { transform: 'translate(30 20) rotate(68) scale(1 1)', opacity: 0.35 }) + stroke('M-26 0L-66 40M26 0L58 -46', look.skin, 20) + ellipse(0, 0, 58, 36, look.top) + circle(0, -8, 30, look.style === 'cap' ? look.top : look.hair), { transform: `translate(${x} ${y}) rotate(${turn})` }) }
  return rect(0, 0, width, height, '#7a4a22') + leaves.slice(0, 80).join('') + stroke('M-80 1010Q420 940 640 620T1680 60', '#e9cf9c', 310) + range(3).map(i => stroke(`M-80 ${930 + i * 82}Q${400 + i * 26} ${866 + i * 78} ${570 + i * 70} ${576 + i * 44}T1680 ${-20 + i * 84}`, '#ffffff', 8, { opacity: 0.7 })).join('') + leaves.slice(80).join('') + runner(430, 800, 55) + runner(700, 590, 42) + runner(900, 430, 62) + runner(1290, 235, 66)
}

export function puddle(): string {
  const drops = range(26).map(i => { const a = Math.PI * (0.06 + (i / 25) * 0.88); const r = 170 + (i % 5) * 56; return ellipse(760 - Math.cos(a) * r * 1.5, 905 - Math.sin(a) * r * 0.9, 8 + (i % 4) * 4, 13 + (i % 3) * 6, '#dff2f7') })
  const shoe = (x: number, y: number, turn: number, colour: string) => group(shape('M-90 -70Q-70 -20 0 -26Q90 0 128 26Q150 60 110 62H-84Q-110 20 -90 -70Z', colour) + rect(-92, 54, 232, 24, '#ffffff', { rx: 12 }) + stroke('M-10 -22L24 12M20 -16L52 16M48 -6L78 20', '#ffffff', 9) + stroke('M-70 20Q0 60 100 36', '#ffffff', 10, { opacity: 0.7 }), { transform: `translate(${x} ${y}) rotate(${turn}) scale(1.5)` })
  return shade(0, 0, width, 700, ['#f1c587', '#e0a35c']) + range(9).map(i => rect(40 + i * 190, 0, 46 + (i % 3) * 26, 700, '#a86a34', { opacity: 0.35 })).join('') + shade(0, 690, width, 380, ['#9a6230', '#6d421d']) + ellipse(760, 940, 620, 90, '#5aa7bd') + ellipse(760, 940, 520, 66, 'none', { stroke: '#ffffff', 'stroke-width': 7, opacity: 0.6 }) + ellipse(760, 940, 380, 44, 'none', { stroke: '#ffffff', 'stroke-width': 6, opacity: 0.5 }) +
    stroke('M430 -40L640 330L760 800', '#e0ac7e', 128) + stroke('M430 -60L500 80', colours.hall, 170) + stroke('M735 690L760 800', colours.sun, 132) + shoe(770, 850, 4, colours.signal) + stroke('M820 -40L1010 240L1290 300', '#c68a5b', 118) + stroke('M800 -60L900 70', colours.deep, 164) + stroke('M1200 282L1290 300', colours.sun, 124) + shoe(1340, 300, -78, colours.signal) + drops.join('')
}

export function finish(): string {
  const next = people(35)
  const poses: PoseName[] = ['cheer', 'stand', 'reach', 'cheer', 'stand', 'cheer', 'reach']
  return closer(wood(forests.autumn, 52) + stroke('M360 830V420M1240 830V420', colours.hall, 26) + rect(350, 380, 900, 120, colours.hall, { rx: 14 }) + range(18).map(i => rect(370 + i * 48, 396 + (i % 2) * 44, 44, 44, i % 2 ? colours.sun : colours.paper)).join('') + poses.map((pose, i) => { const x = 440 + i * 122; const y = 880 + (i % 2) * 46; return footprint(x, y, 330) + figure(pose, x, y, 330, next(), { flip: i > 3 }) }).join('') + foreground(forests.autumn, 53), 1.1, 800, 578)
}

export function park(seed: number, pose: PoseName): string {
  const next = people(seed)
  const random = chance(seed)
  const trees = ([[180, 520, 170], [430, 500, 130], [1230, 505, 150], [1470, 520, 190]] as [number, number, number][]).map(([x, y, r]) => rect(x - 12, y - 40, 24, 130, '#5d3f26') + circle(x, y - 110, r, colours.moss) + circle(x + r * 0.35, y - 140, r * 0.6, '#86b45c') + circle(x - 30, y - 100, r * 0.7, 'none', { stroke: '#ffffff', 'stroke-width': 5, opacity: 0.35 }))
  const points: Point[] = [[330, 800], [800, 770], [1270, 800], [560, 960], [1060, 960]]
  return shade(0, 0, width, 620, ['#9fd3e6', '#eef6e2']) + circle(880, 240, 84, '#fff6cf') + ridge(random, 480, 40, 300, '#a8cf9b') + trees.join('') + shade(0, 570, width, 500, ['#93c063', '#5d8a3a']) + stroke(wave(-60, 1700, 640, 800, 50), '#ffffff', 10, { opacity: 0.6 }) + stroke(wave(-60, 1700, 700, 800, 50), colours.sun, 12, { opacity: 0.8 }) + rect(0, height - 20, width, 20, '#000000', { opacity: 0.05 }) +
    points.map(([x, y], i) => polygon([[x - 190, y + 18], [x + 190, y + 18], [x + 160, y - 26], [x - 160, y - 26]], [colours.hall, colours.berry, colours.violet, colours.blue, colours.rust][i] ?? colours.hall) + figure(pose, x, y, 290 + i * 12, next(), { flip: i % 2 === 1 })).join('')
}
