import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { LAUNCHER } from "./serving.ts";

const root = temporaryFolder();

/** Opens a document with a mistake, waits for diagnostics, then asks for a completion, a hover and a new name. */
const SCRIPT = `
local out = {}
vim.cmd("edit tool.cwl")
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "weft", cmd = { "NODE", "LAUNCHER", "lsp", "--stdio" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(out, "diagnostic " .. found.lnum .. " " .. found.message)
end
local function ask(method, line, character, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = character } }
  for key, value in pairs(more or {}) do params[key] = value end
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local items = ask("textDocument/completion", 4, 26)
for _, item in ipairs(items.items or items) do table.insert(out, "completion " .. item.label) end
table.insert(out, "hover " .. vim.inspect(ask("textDocument/hover", 2, 3)))
local edit = ask("textDocument/rename", 6, 3, { newName = "words" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
table.insert(out, "renamed " .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "|"))
vim.fn.writefile(vim.split(table.concat(out, "\\n"), "\\n"), "result.txt")
vim.cmd("qall!")
`;

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cat
requirements: []
arguments: ["$(inputs.text.size)", "$(inputs.nope)"]
inputs:
  text: File
outputs: {}
`;

it("works in Neovim", { skip: lacks("nvim") }, () => {
  writeFileSync(join(root, "tool.cwl"), TOOL);
  writeFileSync(join(root, "try.lua"), SCRIPT.replace("NODE", process.execPath).replace("LAUNCHER", LAUNCHER));
  const { stderr } = spawnSync("nvim", ["--headless", "--clean", "-c", "luafile try.lua"], {
    cwd: root,
    encoding: "utf8",
    timeout: 50_000,
  });
  const result = readFileSync(join(root, "result.txt"), "utf8");
  assert.match(result, /^diagnostic 4 .*nope/m, stderr);
  assert.match(result, /^completion text$/m);
  assert.match(result, /^hover .*[^]*baseCommand/m);
  assert.match(result, /^renamed .*inputs\.words\.size.*\| {2}words: File/m);
});
