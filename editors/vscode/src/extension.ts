// Starts `pipelint server` and shows what it says.

import { execFile } from "node:child_process";

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ErrorHandler,
  InlayHintRequest,
  LanguageClient,
  LanguageClientOptions,
} from "vscode-languageclient/node";

const NOTEBOOK = "jupyter-notebook";
const SETTINGS = "pipelint";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("pipelint.restart", restart),
    vscode.commands.registerCommand("pipelint.profile", profileThisFile),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration(`${SETTINGS}.command`)) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const [command, ...before] = await program();
  const args = [...before, "server"];
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  let usual: ErrorHandler | undefined; // from when it has answered: before that, one message says what is wrong
  let told = false;
  const tell = async (): Promise<void> => {
    if (told) {
      return;
    }
    told = true;
    client = undefined;
    const reason = await complaint(command, args, cwd);
    void vscode.window.showErrorMessage(
      `pipelint did not start: ${reason}. \`${[command, ...args].join(" ")}\` needs ` +
        "`pip install 'pipelint[server]'`; the setting pipelint.command names another program.",
    );
  };
  const options: LanguageClientOptions = {
    documentSelector: [
      { language: "python", scheme: "file" },
      { language: "python", scheme: "untitled" },
      { language: "python", notebook: NOTEBOOK },
    ],
    synchronize: { configurationSection: SETTINGS },
    initializationOptions: { settings: vscode.workspace.getConfiguration(SETTINGS) },
    initializationFailedHandler: () => false,
    errorHandler: {
      // A server that is gone before its first answer would be waited for without end.
      error: (error, message, count) => {
        if (usual) {
          return usual.error(error, message, count);
        }
        void tell();
        return { action: ErrorAction.Continue, handled: true };
      },
      closed: () => {
        if (usual) {
          return usual.closed();
        }
        void tell();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  client = new LanguageClient(SETTINGS, "pipelint", { command, args, options: { cwd } }, options);
  try {
    await client.start();
    usual = client.createDefaultErrorHandler();
  } catch {
    await tell();
  }
}

/** What the server says when it is started for nobody. */
function complaint(command: string, args: string[], cwd: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, timeout: 30_000 }, (error, _, said) =>
      resolve(said.trim().split("\n").pop()?.replace(/^pipelint: /, "") || error?.message || "it ended at once"),
    );
    child.stdin?.on("error", () => undefined).end();
  });
}

/** The program `pipelint`: the one that is set, that of the selected Python, or the one in PATH. */
async function program(): Promise<string[]> {
  const set = vscode.workspace.getConfiguration(SETTINGS).get<string[] | null>("command");
  if (set?.length) {
    return set;
  }
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python) {
    const api = python.isActive ? python.exports : await python.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const environment = await api?.environments?.resolveEnvironment(api.environments.getActiveEnvironmentPath(folder));
    const interpreter: string | undefined = environment?.executable?.uri?.fsPath;
    if (interpreter) {
      return [interpreter, "-m", "pipelint"];
    }
  }
  return ["pipelint"];
}

/** Measures the file in a terminal, where its output is seen; the hints are asked for anew when it is done. */
async function profileThisFile(): Promise<void> {
  const file = vscode.window.activeNotebookEditor?.notebook.uri ?? vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== "file") {
    void vscode.window.showErrorMessage("pipelint: open a script or a notebook that is saved, and try again.");
    return;
  }
  const [command, ...before] = await program();
  const execution = new vscode.ProcessExecution(command, [...before, "profile", "--save", file.fsPath]);
  const scope = vscode.workspace.getWorkspaceFolder(file) ?? vscode.TaskScope.Workspace;
  const task = new vscode.Task({ type: SETTINGS }, scope, "profile", SETTINGS, execution);
  const running = await vscode.tasks.executeTask(task);
  const ended = vscode.tasks.onDidEndTask((end) => {
    if (end.execution === running) {
      ended.dispose();
      showHintsAnew();
    }
  });
}

function showHintsAnew(): void {
  const hints = client?.getFeature(InlayHintRequest.method);
  for (const document of vscode.workspace.textDocuments) {
    hints?.getProvider(document)?.onDidChangeInlayHints.fire();
  }
}
