import { createRequire } from 'node:module'

/** The parts of pdfkit's document that create the structure of a tagged PDF. */
type StructElement = { add(child: unknown): unknown }
type KitDocument = {
  page: unknown
  info: { Title?: unknown }
  struct(type: string, options: object): StructElement
  addStructure(element: StructElement): unknown
  markContent(tag: string, options?: object): unknown
  markStructureContent(tag: string): unknown
  endMarkedContent(): unknown
  addPage(...options: unknown[]): unknown
  text(text: string, x: number, y: number, options: { link?: string }): unknown
  annotate(x: number, y: number, width: number, height: number, options: Record<string, unknown>): unknown
  _addInfo(): void
}

/** Structure element for a node in the document definition. The element is created with its first content. */
type Tag = {
  type: string
  options: Record<string, unknown>
  children: Tag[]
  /**
   * whether this is a cell in a table header. If the header is repeated on further pages, its cells are marked there as
   * artifacts, which screen readers skip.
   */
  isRepeatable: boolean
  element?: StructElement
  page?: unknown
  links: Map<string, Tag>
}
type Tagged = { tag?: Tag }
/** Node in a document definition for pdfmake. */
type Node = Tagged & {
  /** structure type of a node with text, `P` by default */
  role?: string
  /** alternative text of a QR code */
  alt?: string
  text?: unknown
  stack?: Content[]
  columns?: Content[]
  table?: { headerRows?: number; body: Content[][] }
  qr?: string
}
type Content = string | Node | Content[]

const createTag = (type: string, options = {}, isRepeatable = false): Tag => ({
  type,
  options,
  children: [],
  isRepeatable,
  links: new Map(),
})

/** Inserts a space before each line break, because pdfkit writes nothing for it and screen readers join the words. */
function spaceLines(text: unknown): unknown {
  if (typeof text === 'string') return text.replace(/ *\n/g, ' \n')
  if (Array.isArray(text)) return text.map(spaceLines)
  return text !== null && typeof text === 'object' && 'text' in text ? { ...text, text: spaceLines(text.text) } : text
}

/**
 * Adds structure elements below `parent` for all nodes of the content.
 * @returns the content, with strings replaced by nodes
 */
function tagContent(content: Content, parent: Tag, own?: Tag): Content {
  if (Array.isArray(content)) return content.map(one => tagContent(one, parent))
  const node: Node = typeof content === 'string' ? { text: content } : content
  if (node.text !== undefined) {
    node.text = spaceLines(node.text)
    node.tag = own ?? createTag(node.role ?? 'P')
    parent.children.push(node.tag)
    return node
  }
  if (own) parent.children.push(own)
  const container = own ?? parent
  if (node.stack) node.stack = node.stack.map(one => tagContent(one, container))
  else if (node.columns) node.columns = node.columns.map(one => tagContent(one, container))
  else if (node.table) tagTable(node.table, container)
  else if (node.qr) {
    node.tag = createTag('Figure', { alt: node.alt ?? '', placement: 'Block' })
    container.children.push(node.tag)
  }
  return node
}

/**
 * Adds the structure elements of a table and its rows and cells. Without header rows, the first column contains the
 * headers.
 */
function tagTable({ headerRows = 0, body }: NonNullable<Node['table']>, parent: Tag): void {
  const table = createTag('Table')
  parent.children.push(table)
  body.forEach((cells, index) => {
    const row = createTag('TR')
    table.children.push(row)
    const isHead = index < headerRows
    body[index] = cells.map((cell, column) => {
      const scope = isHead ? 'Column' : headerRows === 0 && column === 0 ? 'Row' : null
      return tagContent(cell, row, createTag(scope ? 'TH' : 'TD', scope ? { scope } : {}, isHead))
    })
  })
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Writes marked content. Each drawing operation either belongs to the current tag or is an artifact. */
class Marker {
  readonly #pdf: KitDocument
  #open: Tag | 'artifact' | null = null

  constructor(pdf: KitDocument) {
    this.#pdf = pdf
  }

  elementOf(tag: Tag): StructElement {
    tag.element ??= this.#pdf.struct(tag.type, tag.options)
    return tag.element
  }

  close(): void {
    if (this.#open !== null) this.#pdf.endMarkedContent()
    this.#open = null
  }

  enter(tag: Tag | undefined): void {
    const { page } = this.#pdf
    const isRepeated = tag?.isRepeatable && tag.page !== undefined && tag.page !== page
    const next = tag && !isRepeated ? tag : 'artifact'
    if (next === this.#open) return
    this.close()
    if (next === 'artifact') this.#pdf.markContent('Artifact', { type: 'Layout' })
    else {
      next.page = page
      this.elementOf(next).add(this.#pdf.markStructureContent(next.type))
    }
    this.#open = next
  }

  /** Returns the structure element for a link within a text. */
  linkOf(tag: Tag, url: string): Tag {
    const known = tag.links.get(url)
    if (known) return known
    const link = createTag('Link')
    tag.links.set(url, link)
    this.close()
    this.elementOf(tag).add(this.elementOf(link))
    return link
  }

  /** Links the structure elements in the order of the document definition and adds them to the PDF. */
  finish(root: Tag): void {
    this.close()
    const connect = (tag: Tag): StructElement => {
      const element = this.elementOf(tag)
      for (const child of tag.children) element.add(connect(child))
      return element
    }
    this.#pdf.addStructure(connect(root))
  }
}

const require = createRequire(import.meta.url)
type Class = { prototype: Record<string, (...given: never[]) => unknown> }
const classOf = (name: string): Class => require(`pdfmake/js/${name}.js`).default
const markers = new WeakMap<KitDocument, Marker>()
type Line = Tagged & { inlines: { link?: string }[] }
type RendererOf = { pdfDocument: KitDocument }

/** Wraps a method of pdfmake. `original` is bound to the instance. */
function wrap<Self>(
  name: string,
  method: string,
  around: (self: Self, original: (...given: unknown[]) => unknown, ...given: never[]) => unknown,
): void {
  const { prototype } = classOf(name)
  const original = prototype[method]
  if (!original) throw new Error(`pdfmake has no ${name}.${method}`)
  prototype[method] = function (this: Self, ...given: never[]) {
    return around(this, original.bind(this as never) as (...given: unknown[]) => unknown, ...given)
  }
}

const rootOf = new WeakMap<object, Tag>()

/**
 * Wraps the layout and drawing methods of pdfmake so that PDFs contain a structure tree for screen readers (tagged
 * PDF), which pdfmake itself does not write.
 */
export function installTagging(): void {
  // Text lines and the squares of a QR code get the tag of the node from which they were created.
  wrap<object>('LayoutBuilder', 'buildNextLine', (_self, original, node: Tagged) => {
    const line = original(node) as Line | null
    if (line && node.tag) line.tag = node.tag
    return line
  })
  type Qr = Tagged & { x: number; y: number; _width: number; _height: number; _canvas: Tagged[] }
  wrap<object>('ElementWriter', 'addQr', (_self, original, qr: Qr, index) => {
    for (const square of qr._canvas) if (qr.tag) square.tag = qr.tag
    const position = original(qr, index)
    if (qr.tag && position) qr.tag.options.bbox = [qr.x, qr.y, qr.x + qr._width, qr.y + qr._height]
    return position
  })
  wrap<RendererOf>('Renderer', 'renderPages', ({ pdfDocument: pdf }, original, pages: object[]) => {
    const root = rootOf.get(pages)
    const marker = new Marker(pdf)
    markers.set(pdf, marker)
    const { addPage, _addInfo } = pdf
    pdf.addPage = (...options) => {
      marker.close()
      return addPage.apply(pdf, options)
    }
    // The title is escaped here, because pdfkit writes it into XML without escaping.
    pdf._addInfo = () => {
      const title = pdf.info.Title
      pdf.info.Title = escapeXml(String(title))
      _addInfo.call(pdf)
      pdf.info.Title = title
    }
    original(pages)
    if (root) marker.finish(root)
  })
  wrap<RendererOf>('Renderer', 'renderLine', ({ pdfDocument: pdf }, original, line: Line, x, y) => {
    const marker = markers.get(pdf)
    const { tag } = line
    if (!marker) return original(line, x, y)
    marker.enter(tag)
    if (!tag || line.inlines.every(({ link }) => !link)) return original(line, x, y)
    const { text, annotate } = pdf
    pdf.text = (words, left, top, options) => {
      const link = options.link ? marker.linkOf(tag, options.link) : null
      marker.enter(link ?? tag)
      pdf.annotate = (a, b, c, d, given) =>
        annotate.call(pdf, a, b, c, d, {
          ...given,
          Contents: new String(options.link),
          ...(link && { structParent: marker.elementOf(link) }),
        })
      return text.call(pdf, words, left, top, options)
    }
    original(line, x, y)
    pdf.text = text
    pdf.annotate = annotate
  })
  for (const method of ['renderVector', 'renderImage', 'renderSVG'])
    wrap<RendererOf>('Renderer', method, ({ pdfDocument: pdf }, original, item: Tagged) => {
      markers.get(pdf)?.enter(item.tag)
      return original(item)
    })
  for (const method of ['beginClip', 'endClip', 'beginVerticalAlignment', 'endVerticalAlignment'])
    wrap<RendererOf>('Renderer', method, ({ pdfDocument: pdf }, original, ...given) => {
      markers.get(pdf)?.close()
      return original(...given)
    })
  wrap<object>('LayoutBuilder', 'layoutDocument', (_self, original, content: Content, ...given) => {
    const root = createTag('Document')
    const pages = original(tagContent(content, root), ...given) as object[]
    rootOf.set(pages, root)
    return pages
  })
}
