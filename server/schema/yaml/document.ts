import { Composer, CST, type Document, Lexer, LineCounter, Parser } from 'yaml';
import { badRequest } from '../../base/status-error.ts';
import type { Work } from '../../base/turns/work.ts';

export const mistake = (text: string) => badRequest(`error decoding YAML: yaml: ${text}`);

/** The parser reads so many lexical tokens in about half a second, in turns with others; they are composed at one go. */
const tokenBudget = 200_000;

/** Lines are counted and folded one by one, even where thousands of them are one token. */
const mostLines = 300_000;

/** Collections inside one another; the composer, which recurses, bears about twice as many. */
export const deepest = 500;

const tooComplex = () => mistake('the body is too complex');

function hasTooManyLines(text: string): boolean {
  let at = -1;
  for (let lines = 0; lines <= mostLines; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Blanks, comments, directives, tags, anchors, and where a document starts. */
const isBeforeContent = (lexeme: string) => lexeme === CST.DOCUMENT || /^(?:\s*|[#%!&].*|---)$/s.test(lexeme);

/** Whether a lexeme begins a second map or list in brackets behind one that is all of the document: there it is over. */
function secondInBrackets(): (lexeme: string) => boolean {
  let depth: number | undefined;
  let isFlow = false;
  return (lexeme) => {
    if (depth === undefined && isBeforeContent(lexeme)) return false;
    const opens = lexeme === '{' || lexeme === '[';
    if (depth === undefined) isFlow = opens;
    else if (isFlow && opens && depth === 0) return true;
    depth = (depth ?? 0) + (opens ? 1 : lexeme === '}' || lexeme === ']' ? -1 : 0);
    return false;
  };
}

export interface Parsed {
  readonly document: Document.Parsed | undefined;
  readonly lines: LineCounter;
}

/**
 * Only the first document counts; what follows it is not even read. Others have their turn meanwhile.
 * @throws StatusError 400: too many parts or lines, nested too deep
 */
export function* firstDocument(text: string): Work<Parsed> {
  if (hasTooManyLines(text)) throw tooComplex();
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, version: '1.1', logLevel: 'silent' });
  lines.addNewLine(0);
  let budget = tokenBudget;
  const isOver = secondInBrackets();
  for (const lexeme of new Lexer().lex(text)) {
    if (--budget < 0) throw tooComplex();
    if (isOver(lexeme)) break;
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) return { document, lines };
    if (parser.stack.length > deepest) throw mistake(`the body is nested more than ${deepest} levels deep`);
    yield;
  }
  for (const token of parser.end()) for (const document of composer.next(token)) return { document, lines };
  for (const document of composer.end(true, text.length)) return { document, lines };
  return { document: undefined, lines };
}
