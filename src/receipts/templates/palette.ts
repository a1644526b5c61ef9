// The colours of the letters, light and dark. Text has a contrast of at least 4.5 to 1 in both. No
// colour is quite black or white, so that mail programs which invert colours keep them legible.

export interface Palette {
  readonly paper: string
  readonly card: string
  readonly ink: string
  readonly quiet: string
  readonly line: string
  readonly tint: string
  readonly amber: string
}

export const LIGHT: Palette = {
  paper: '#f5f2ed',
  card: '#fffefc',
  ink: '#211d18',
  quiet: '#6a6158',
  line: '#e8e2d9',
  tint: '#f8f5f0',
  amber: '#f0a01e',
}

export const DARK: Palette = {
  paper: '#171412',
  card: '#221e1a',
  ink: '#f3eee7',
  quiet: '#b6aba0',
  line: '#3c362f',
  tint: '#2b2620',
  amber: '#f5ae3d',
}
