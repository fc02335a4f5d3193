import { Card, Stack, Text } from '#components/layout.tsx'
import type { DataRow } from '#features/pages/data-map-model.ts'

export function DataRows({ rows }: { rows: DataRow[] }) {
  return (
    <Stack as="ul" width="reading" mt="l">
      {rows.map(({ name, what, why, facts }) => (
        <Card as="li" key={name} flush gap="s" layout="stack">
          <Text as="h3" variant="name">
            {what}
          </Text>
          <p>{why}</p>
          <Stack as="dl" gap="s" pairs>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}
