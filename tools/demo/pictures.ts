// Draws every picture of the demo programme into demo/files: `node tools/demo/pictures.ts [name …]`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { circle, closer, colours, ellipse, group, height, picture, range, rect, shade, stroke, wave, width } from './drawing.ts'
import { figure, type PoseName, people } from './figures.ts'
import * as forest from './forest-scenes.ts'
import * as hall from './hall-scenes.ts'
import { portrait, portraits } from './portraits.ts'
import * as water from './water-scenes.ts'

const files = join(import.meta.dirname, '../../demo/files')
const { forests } = forest
const { halls } = hall
const { skies } = water

/** Flyer cover: the category's colour, its court line and one athlete. */
function cover(ground: string, line: string, pose: PoseName, seed: number, options: { size?: number; x?: number; y?: number; flip?: boolean; prop?: string } = {}): string {
  const look = people(seed)()
  const top = look.top === ground ? colours.paper : look.top
  return shade(0, 0, width, height, [ground, ground]) + group(line, { opacity: 0.5 }) + rect(0, 960, width, 110, '#000000', { opacity: 0.14 }) +
    figure(pose, options.x ?? 800, options.y ?? 985, options.size ?? 800, { ...look, top }, { flip: options.flip }) + (options.prop ?? '')
}
const rings = range(4).map(i => circle(1080, 420, 170 + i * 130, 'none', { stroke: '#ffffff', 'stroke-width': 16 })).join('')
const waves = range(6).map(i => stroke(wave(-60, 1700, 190 + i * 150, 400, 80), '#ffffff', 16)).join('')
const court = stroke('M-20 220H980Q1280 220 1280 520V1100M-20 330H940Q1160 330 1160 560V1100', '#ffffff', 16) + circle(420, 640, 300, 'none', { stroke: '#ffffff', 'stroke-width': 16 })
const hillside = stroke('M-60 860C300 420 620 920 920 600S1400 320 1700 420M-60 700C300 260 620 760 920 440S1400 160 1700 260M-60 1020C300 580 620 1080 920 760S1400 480 1700 580', '#ffffff', 16)
const pulse = stroke('M-20 560H360L440 380L580 780L760 140L930 700L1030 470L1100 560H1640', '#ffffff', 18)

const albums: Record<string, () => string> = {
  'sporttag-01': hall.volleyball,
  'sporttag-02': hall.hoop,
  'sporttag-03': hall.smash,
  'sporttag-04': hall.tableTennis,
  'sporttag-05': () => hall.fromAbove(3, '#157a70', '#04302f'),
  'sporttag-06': hall.cakes,
  'sporttag-07': () => hall.teamPhoto(halls.green, 8, true),
  'rudern-01': () => water.rowing(skies.dawn, 1, 4, 1.9, [1060, 380]),
  'rudern-02': water.boathouse,
  'rudern-03': () => water.boatFromAbove(2),
  'rudern-04': () => water.rowing(skies.morning, 3, 1, 2.6),
  'rudern-05': () => water.harbour(skies.dawn, 5),
  'rudern-06': water.bridge,
  'rudern-07': water.jettyBreakfast,
  'waldlauf-01': () => forest.forestPath(forests.autumn, 12, [['run', 850, 740, 210], ['run', 700, 850, 340], ['run', 480, 1000, 500]]),
  'waldlauf-02': forest.hillLanes,
  'waldlauf-03': forest.puddle,
  'waldlauf-04': forest.trailFromAbove,
  'waldlauf-05': forest.headTorches,
  'waldlauf-06': forest.finish,
  'stadtbad-01': () => water.poolHall(3, false),
  'stadtbad-02': water.aquaClass,
  'stadtbad-03': () => water.lanesFromAbove(4),
  'stadtbad-04': water.underwater,
  'stadtbad-05': water.aquaJogging,
  'stadtbad-06': () => water.poolHall(8, true),
  'rueckenfit-01': () => hall.groupLesson(halls.evening, 'lunge', 31),
  'rueckenfit-02': hall.bigPlank,
  'rueckenfit-03': hall.matsFromAbove,
  'rueckenfit-04': hall.equipment,
  'rueckenfit-05': hall.circleUp,
  'sup-01': () => water.paddlers(skies.noon, 7, 3),
  'sup-02': water.boardsFromAbove,
  'sup-03': () => water.paddlers(skies.noon, 8, 3, { fall: true }),
  'sup-04': () => water.harbour(skies.morning, 45),
  'sup-05': () => water.paddlers(skies.dusk, 6, 1),
  'sup-06': water.boardsAtWall,
}

const banners: Record<string, () => string> = {
  'carousel-halle': () => hall.groupLesson(halls.morning, 'reach', 17, { rows: [[9.5, 6, 2.2], [6, 5, 2], [3.4, 4, 2]] }),
  'carousel-wald': () => closer(forest.forestPath(forests.autumn, 63, [['run', 810, 660, 130], ['run', 720, 710, 210], ['run', 610, 780, 320]]), 1, 800, 420),
  'carousel-wasser': water.aquaClass,
  'carousel-boote': () => closer(water.rowing(skies.dusk, 14, 4, 1.75, [1080, 420]), 1, 800, 620),
}

const teasers: Record<string, () => string> = {
  'top-fruehjahr': () => forest.park(5, 'warrior'),
  'top-ruecken': () => hall.groupLesson(halls.foundry, 'squat', 22, { rows: [[7, 4, 2.4], [3, 3, 2.5]], bars: false }),
  'top-pause': () => cover(colours.violet, rings, 'bend', 15, { x: 620, size: 830 }),
  'bottom-ideen': () => hall.fromAbove(9, colours.plum, '#32081c'),
  'bottom-karte': forest.hillLanes,
  'bottom-team': () => hall.teamPhoto(halls.evening, 26, false),
  'instructor-werden': () => cover(colours.hall, court, 'cheer', 28, { x: 860 }),
  'instructor-ersthilfe': () => hall.groupLesson(halls.green, 'bridge', 36, { rows: [[8.4, 3, 3.1], [5, 3, 2.9], [2.4, 2, 2.9]], bars: false }),
  'flyer-programm': () => cover(colours.hall, court, 'spike', 42, { x: 780, y: 1000, size: 700, prop: hall.ball(1010, 130, 84) }),
  'flyer-wasser': () => cover(colours.blue, waves, 'paddle', 43, { x: 740, y: 930, size: 760, prop: ellipse(760, 940, 470, 40, colours.sun) + stroke('M840 170L1000 900', '#f1e3c6', 18) + ellipse(1012, 955, 30, 84, colours.signal, { transform: 'rotate(-12 1012 955)' }) }),
  'flyer-online': () => cover(colours.violet, rings, 'sit', 58, { x: 800, y: 975, size: 1180 }),
  'flyer-winter': () => forest.forestPath(forests.winter, 78, [['walk', 850, 760, 250], ['walk', 690, 960, 460]]),
  'flyer-band': () => cover(colours.rust, court, 'squat', 41, { x: 720, size: 1010 }),
  'flyer-pause': () => cover('#9a6700', pulse, 'reach', 46, { x: 640, size: 780 }),
  'flyer-laufrunden': () => cover('#4c7a2c', hillside, 'run', 52, { x: 760 }),
  'flyer-erstattung': () => cover('#0d5a4f', waves, 'warrior', 47, { x: 760 }),
  'flyer-kursleitungen': () => cover(colours.plum, rings, 'tree', 55, { x: 700, size: 800 }),
}

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.some(part => name.includes(part))
async function paint(scenes: Record<string, () => string>, size: { width: number; height: number }) {
  for (const [name, scene] of Object.entries(scenes)) {
    if (!isWanted(name)) continue
    const drawn = sharp(Buffer.from(picture(scene())), { density: 72 }).resize({ ...size, fit: 'cover' })
    await drawn.webp({ quality: 82, effort: 6 }).toFile(join(files, `${name}.webp`))
  }
}

await paint(albums, { width: 1600, height: 1067 })
await paint(banners, { width: 1600, height: 760 })
await paint(teasers, { width: 1200, height: 800 })
for (const [name, look] of Object.entries(portraits)) if (isWanted(`portrait-${name}`)) writeFileSync(join(files, `portrait-${name}.svg`), portrait(look))
