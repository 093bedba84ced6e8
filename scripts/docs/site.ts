import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked } from 'marked';
import { aliases, type Page, root } from './pages.ts';

const slug = (text: string): string =>
  text
    .replace(/<[^>]+>|&[a-z]+;|`/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .replaceAll(' ', '-');

/** The rule that a row of the table of rules is about has an anchor. */
const withAnchors = (html: string): string =>
  html.replace(/<tr>\s*<td><code>([a-z0-9.-]+\.[a-z0-9.-]+)<\/code>/g, '<tr id="$1"><td><code>$1</code>');

export interface Built {
  readonly page: Page;
  readonly html: string;
  /** What can be linked to in it. */
  readonly anchors: ReadonlySet<string>;
  /** Links that lead nowhere in the site or the repository, and those to anchors, which are checked later. */
  readonly dead: readonly string[];
  readonly anchored: readonly string[];
}

/** One page, its links turned from those of the repository into those of the site. */
export function build(page: Page, pages: readonly Page[]): Built {
  const dead: string[] = [];
  const anchored: string[] = [];
  const target = (href: string): string => {
    if (/^(?:https?:|mailto:)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const at = path ? join(dirname(page.source), path) : page.source;
    const file = aliases[at] ?? pages.find(({ source }) => source === at || source === `${at}/README.md`)?.file;
    if (anchor !== undefined && file) anchored.push(`${file}#${anchor}`);
    if (file) return anchor === undefined ? file : `${file}#${anchor}`;
    if (!existsSync(join(root, at))) dead.push(`${page.source}: ${href}`);
    return at.endsWith('.png') ? (at.split('/').at(-1) ?? '') : relative('docs/site', at);
  };
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') token.href = target(token.href);
    },
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
    },
  });
  const html = withAnchors(marked.parse(page.markdown) as string);
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  return { page, html, anchors, dead, anchored };
}

/** Every link of all pages that leads nowhere. */
export const deadLinks = (built: readonly Built[]): readonly string[] =>
  built.flatMap(({ page, dead, anchored }) => [
    ...dead,
    ...anchored
      .filter((link) => {
        const [file, anchor = ''] = link.split('#');
        return !built.find((each) => each.page.file === file)?.anchors.has(anchor);
      })
      .map((link) => `${page.source}: ${link}`),
  ]);

const style = `:root{color-scheme:light dark}body{margin:0;font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:220px minmax(0,1fr)}
nav{padding:24px 16px;border-right:1px solid #8884;position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box}
nav a{display:block;padding:3px 8px;text-decoration:none;color:inherit;border-radius:4px}nav a[aria-current]{background:#8883;font-weight:600}
main{padding:16px 32px 64px;max-width:980px;min-width:0;overflow-wrap:break-word}table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #8884;padding:4px 10px;text-align:left;vertical-align:top}
pre{background:#8882;padding:12px;overflow:auto;border-radius:6px}code{font-size:.9em}#skip:not(:focus){position:absolute;left:-99em}img{max-width:100%;border:1px solid #8884}:target:not(main){background:#fd06}main:focus{outline:0}
@media(max-width:760px){body{display:block}nav{position:static;height:auto;border:0;padding:8px}nav a{display:inline-block}main{padding:8px 16px}}
@media print{body{display:block}nav{display:none}main{max-width:none;padding:0}pre{white-space:pre-wrap}table{display:table;font-size:.75em}td,th{padding:2px 4px;overflow-wrap:anywhere}tr,pre{break-inside:avoid}}`;

/** A whole page, which needs nothing from anywhere else. */
export const wholePage = ({ page, html }: Built, pages: readonly Page[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title} – Touchstone</title><style>${style}</style></head><body>
<nav aria-label="Pages"><a id="skip" href="#text">To the text</a>${pages
  .map(({ file, title }) => `<a href="${file}"${file === page.file ? ' aria-current="page"' : ''}>${title}</a>`)
  .join('')}</nav>
<main id="text" tabindex="-1">${html}</main></body></html>
`;
