import '@mantine/core/styles.css'
import { Button, Card, MantineProvider, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Item, loadItems, SHOWN } from './items.ts'

/** The same list as a plain Mantine app, with search box, filter button and cards. */
function List() {
  const [items, setItems] = useState<Item[]>([])
  const [words, setWords] = useState('')
  useEffect(() => void loadItems().then(setItems), [])
  const found = items.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
  return (
    <MantineProvider>
      <main>
        <Title order={1}>Kurse</Title>
        <TextInput label="Suche" value={words} onChange={event => setWords(event.currentTarget.value)} />
        <Button>Filter</Button>
        {found.slice(0, SHOWN).map(item => (
          <Card key={item.id} component="article" withBorder>
            <Title order={2}>{item.name}</Title>
            <Text>{item.instructor}</Text>
            <Text>{item.venue}</Text>
          </Card>
        ))}
      </main>
    </MantineProvider>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<List />)
