// Answers line by line: given a JSON array of Markdown texts, the nodes of each that hold a probe.
import { createInterface } from "node:readline";
import { Parser } from "commonmark";

const MARK = process.argv[2];
const parser = new Parser();

function look(text) {
  const nodes = [];
  const htmlBlocks = [];
  const note = (kind, held) => {
    if (typeof held === "string" && held.includes(MARK)) nodes.push([kind, held]);
  };
  const walker = parser.parse(text).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (!event.entering) continue;
    const node = event.node;
    if (node.type === "html_block") htmlBlocks.push(node.literal);
    note(node.type, node.literal);
    note("code_block", node.info);
    note("link", node.destination);
    note("link", node.title);
  }
  return [nodes, htmlBlocks];
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(look)) + "\n");
}
