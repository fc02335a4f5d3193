import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { formatDate, formatTime, nameInLanguage, shortLocation } from '#contract/words.ts'
import { formatWeekdaysShort } from '#features/courses/search/weekday-model.ts'
import { readLanguage } from '#lib/settings.ts'
import { shareLink } from '#lib/share-link.ts'
import { Button } from '#ui/button.tsx'
import { categoryKey } from '#ui/category-color.ts'
import { categoryIllustrationPath } from '#ui/category-figure.tsx'
import { IconShare2 } from '#ui/shell-icons.ts'

const colorOf = (button: HTMLElement) => getComputedStyle(button).getPropertyValue('--category')

/** Button that shares a course along with a picture via the system's share dialog, or else copies its link. */
export function ShareCourseButton({ course }: { course: Course }) {
  const { t } = useTranslation('reminders')
  const { t: say } = useTranslation('courses')
  const picture = useRef<File | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The picture is drawn in advance, because browsers require the file to be available when the user taps.
  useEffect(() => {
    if (!button.current || !navigator.canShare) return
    drawCoursePicture(course, formatWeekdaysShort(course.weekdays, say), colorOf(button.current)).then(
      drawn => {
        picture.current = drawn
      },
      // If drawing fails, the link is shared without a picture.
      () => undefined,
    )
  }, [course, say])
  const share = async () => {
    const url = `${window.location.origin}/course-details/${course.id}`
    const link = { title: nameInLanguage(readLanguage(), course), url }
    const withPicture = { ...link, files: picture.current ? [picture.current] : [] }
    const isPictured = picture.current !== null && (navigator.canShare?.(withPicture) ?? false)
    await shareLink(isPictured ? withPicture : link, {
      copied: say('details.shared'),
      failed: say('details.shareFailed'),
    })
  }
  return (
    <Button
      ref={button}
      look="ghost"
      data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
      onClick={share}
    >
      <IconShare2 size={22} />
      {t('share')}
    </Button>
  )
}

const [WIDTH, HEIGHT, SIDE] = [1200, 630, 72]

function linesOf(context: CanvasRenderingContext2D, text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.length > 0 && context.measureText(longer).width <= WIDTH - 2 * SIDE) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

type Pictured = Pick<
  Course,
  'name' | 'name2' | 'venue' | 'city' | 'start' | 'startTime' | 'endTime' | 'categoryIcon' | 'courseCategoryId'
>

/**
 * Draws a picture of a course for sharing.
 * @param days weekdays, as in `Mo · Do`
 * @param color CSS color
 * @returns null if the browser does not support this
 */
async function drawCoursePicture(course: Pictured, days: string, color: string): Promise<File | null> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')
  if (!context) return null
  const bright = getComputedStyle(document.documentElement).getPropertyValue('--bright')
  context.fillStyle = color
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.save()
  context.globalAlpha = 0.35
  context.strokeStyle = bright
  context.lineWidth = 3.5
  context.translate(700, 0)
  context.scale(5.6, 5.6)
  context.stroke(new Path2D(categoryIllustrationPath(course.categoryIcon, course.courseCategoryId)))
  context.restore()
  context.fillStyle = bright
  const write = (text: string, size: number, weight: number, y: number) => {
    context.font = `${weight} ${size}px "Barlow Condensed", sans-serif`
    const lines = linesOf(context, text).slice(0, 3)
    for (const [index, line] of lines.entries()) context.fillText(line, SIDE, y + index * size * 1.05)
    return y + lines.length * size * 1.05
  }
  const hours = `${formatTime(course.startTime)} – ${formatTime(course.endTime)}`
  write(`${days}  ${hours}`, 64, 600, 130)
  const below = write(nameInLanguage(readLanguage(), course), 112, 700, 270)
  write([formatDate(course.start), shortLocation(course)].filter(Boolean).join(' · '), 52, 600, Math.max(below, 480))
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  return blob && new File([blob], 'kurs.png', { type: 'image/png' })
}
