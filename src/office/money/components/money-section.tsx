import { type ReactNode, useId } from 'react'
import { Box, Row, Stack, Text } from '#ui/layout.tsx'

type Props = { title: string; lead?: string; actions?: ReactNode; children?: ReactNode }

/** Section of a screen with a heading and actions. */
export function MoneySection({ title, lead, actions, children }: Props) {
  const id = useId()
  return (
    <Stack as="section" gap="s" aria-labelledby={id}>
      <Row justify="between">
        <Box flush>
          <h2 id={id}>{title}</h2>
          {lead && <Text tone="muted">{lead}</Text>}
        </Box>
        {actions && <Row>{actions}</Row>}
      </Row>
      {children}
    </Stack>
  )
}
