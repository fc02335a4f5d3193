import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { describeInterface } from './openapi.ts'

type Operation = {
  operationId: string
  security: Record<string, []>[]
  parameters: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<string, object>
}
const description = describeInterface('https://sport.example.com')
const paths = description.paths as Record<string, Record<string, Operation>>

test.each(Object.entries(endpoints))('%s is described as the contract has it', (name, endpoint) => {
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
  const operation = paths[path]?.[endpoint.method.toLowerCase()] as Operation
  expect(operation.operationId).toBe(name)
  expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined || endpoint.takesFile === true)
  const inPath = operation.parameters.filter(parameter => parameter.in === 'path').map(({ name }) => `{${name}}`)
  expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
  expect(Object.keys(operation.responses)).toContain(
    endpoint.redirects ? '302' : endpoint.response === null ? '204' : '200',
  )
  if (endpoint.access === 'session' || endpoint.access === 'instructor') {
    expect(operation.security).toEqual([{ SessionToken: [] }])
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']))
  }
})

test('a call whose answer depends on the session may say that it is missing', () => {
  expect(paths['/api/photo/{albumId}']?.get?.responses).toHaveProperty('401')
})

test('there is nothing in it but the contract', () => {
  const described = Object.values(paths).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(described.sort()).toEqual(Object.keys(endpoints).sort())
})

test('every reference leads somewhere', () => {
  const { schemas } = description.components as { schemas: Record<string, object> }
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, name = ''] of references) expect(schemas).toHaveProperty(name)
  expect(JSON.stringify(description)).not.toContain('#/$defs/')
})
