import { crc32 } from 'node:zlib'
import sharp from 'sharp'

/** A PNG of some hundred bytes whose header declares 16,000 x 16,000 pixels. */
export async function buildGiantPng(): Promise<Buffer> {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  // Signature (8), length of the header (4), its type (4), width, height, 5 bytes more, checksum of all but the length.
  png.writeUInt32BE(16_000, 16)
  png.writeUInt32BE(16_000, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}
