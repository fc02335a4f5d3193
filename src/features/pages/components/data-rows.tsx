import type { PrivacyDataRow } from '#features/pages/data-map-model.ts'
import { Card, Stack, Text } from '#ui/layout.tsx'

/** Kinds of data with purpose, recipients, retention and legal basis. */
export function DataRows({ rows }: { rows: PrivacyDataRow[] }) {
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
