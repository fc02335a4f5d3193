import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { MantineRoot } from './mantine-provider.tsx'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import type { PointerEvent } from 'react'
import classes from './dialog-panel.module.css'

/** Drag distance in px beyond which the sheet closes. */
const FAR = 90

/** Prevents the browser from treating the drag as a scroll fling, which would suppress the next tap. */
const keepFromBrowser = (handle: HTMLElement | null) =>
  handle?.addEventListener('touchstart', event => event.preventDefault(), { passive: false })

/**
 * Event handlers for the drag handle of a bottom sheet. The handle must be a direct child of the sheet, which follows
 * the finger and closes if it is released beyond the threshold.
 */
function useSheetDrag(onClose: () => void) {
  const pulledBy = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) =>
    Math.max(0, clientY - Number(currentTarget.dataset.from))
  const move = (handle: HTMLElement, distance: number) =>
    handle.parentElement?.style.setProperty('translate', `0 ${distance}px`)
  return {
    ref: keepFromBrowser,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.dataset.from = String(event.clientY)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event.currentTarget, pulledBy(event))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const distance = pulledBy(event)
      if (distance > FAR) onClose()
      else move(event.currentTarget, 0)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => move(event.currentTarget, 0),
  }
}

export type DialogProps = {
  title: string
  onClose: () => void
  /** `sheet`: shown as a bottom sheet on phones */
  kind?: 'modal' | 'sheet'
  /** value of `data-category` (category-color.ts), which gives the panel the category's color */
  category?: string | undefined
  /** arranges the fields in two columns */
  isWide?: boolean
  children: ReactNode
  footer?: ReactNode
}

export function DialogPanel({
  title,
  onClose,
  kind = 'modal',
  isWide = false,
  category,
  children,
  footer,
}: DialogProps) {
  const { t } = useTranslation('shell')
  const drag = useSheetDrag(onClose)
  return (
    <MantineRoot>
      <Modal.Root
        opened
        onClose={onClose}
        centered={kind === 'modal'}
        radius="lg"
        size={kind === 'sheet' ? '100%' : isWide ? 880 : 480}
        {...(kind === 'sheet' ? { xOffset: 0, yOffset: 0 } : {})}
        returnFocus={false}
        transitionProps={kind === 'sheet' ? { transition: 'slide-up', duration: 200 } : { duration: 0 }}
        // Mantine's scroll lock adds a <style> element, which the CSP blocks. The stylesheet locks scrolling instead.
        lockScroll={false}
        className={kind === 'sheet' ? (classes.sheet ?? '') : ''}
        classNames={{
          content: classes.content ?? '',
          header: classes.header ?? '',
          title: styles({ variant: 'title' }),
        }}
      >
        <Modal.Overlay />
        <Modal.Content data-category={category}>
          {kind === 'sheet' && <div className={classes.handle} aria-hidden {...drag} />}
          <Modal.Header component="div">
            <Modal.Title component="h2">{title}</Modal.Title>
            <Modal.CloseButton aria-label={t('close')} size={44} />
          </Modal.Header>
          <Modal.Body>{children}</Modal.Body>
          {footer && <Row className={classes.footer}>{footer}</Row>}
        </Modal.Content>
      </Modal.Root>
    </MantineRoot>
  )
}
