import { type ReactNode, useState } from "react";
import { RUN_STATE_NAMES } from "../format/state-look.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Code, CodeBlock } from "../ui/code-block.tsx";
import ConfirmDialog from "../ui/confirm-dialog.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { DeleteButton } from "../ui/delete-button.tsx";
import { DropDown } from "../ui/drop-down.tsx";
import { EmptyState, NoMatch } from "../ui/empty-state.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { CheckField, Field, InlineField, Input, RadioField, Select, Slider, TextArea } from "../ui/field.tsx";
import { FilePicker } from "../ui/file-picker.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Form } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { JobProgressBar } from "../ui/job-progress-bar.tsx";
import { KeyCombination } from "../ui/key-combination.tsx";
import { Modal, SidePanel } from "../ui/modal.tsx";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLine, MenuName, SubMenu } from "../ui/menu.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Pager } from "../ui/pager.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Segments } from "../ui/segments.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StateBadge } from "../ui/state-badge.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { NameLink, TextLink } from "../ui/text-link.tsx";
import { DurationText, TimeAgo } from "../ui/time-text.tsx";
import { Facts, TitledSection } from "../ui/titled-section.tsx";
import { showError, showToast } from "../ui/toast.tsx";
import { Toolbar } from "../ui/toolbar.tsx";
import { ViewToolbar } from "../ui/view-toolbar.tsx";
import { useVirtualList, VirtualList } from "../ui/virtual-list.tsx";

const NOTHING = () => undefined;
const TIME = "2026-03-01T10:00:00Z";
const LOOKS = ["plain", "primary", "danger", "quiet"] as const;
const METHODS = [
  { id: "mean", label: "Mean" },
  { id: "otsu", label: "Otsu" },
] as const;
const STEPS = [
  { name: "smooth", jobs: 6 },
  { name: "threshold", jobs: 12 },
];

/** The parts of the kit in their states, in both themes: `/__kit` while developing. */
export default function KitPage() {
  return (
    <>
      <PageHeading
        title="Kit"
        documentTitle="Kit"
        crumbs={[{ label: "Dashboard", to: "/" }]}
        actions={<Button look="primary">Primary action</Button>}
      />
      <div className="grid gap-4 xl:grid-cols-2">
        {(["light", "dark"] as const).map((theme) => (
          <section key={theme} aria-label={theme} className={`${THEMES[theme]} space-y-6 bg-canvas p-4 text-ink`}>
            <Parts />
          </section>
        ))}
      </div>
    </>
  );
}

const THEMES = { light: "scheme-light", dark: "scheme-dark" };

function Parts() {
  return (
    <>
      <TitledSection title="Buttons">
        <Buttons />
      </TitledSection>
      <TitledSection title="Dialogs and messages">
        <Dialogs />
      </TitledSection>
      <TitledSection title="Fields">
        <Fields />
      </TitledSection>
      <TitledSection title="States">
        <States />
      </TitledSection>
      <TitledSection title="Notices">
        <Notices />
      </TitledSection>
      <TitledSection title="Lists">
        <Lists />
      </TitledSection>
      <TitledSection title="Texts" aside={<TimeAgo time={TIME} />} card tone="warning">
        <Texts />
      </TitledSection>
    </>
  );
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>;
}

function Buttons() {
  const [view, setView] = useState("table");
  return (
    <div className="space-y-2">
      {[false, true].map((isOff) => (
        <Row key={String(isOff)}>
          {LOOKS.map((look) => (
            <Button key={look} look={look} disabled={isOff}>
              <Icon name="play" /> {look}
            </Button>
          ))}
          <Button look="link" disabled={isOff}>
            link
          </Button>
          <Button small disabled={isOff}>
            small
          </Button>
          <IconButton label="Copy" icon="copy" disabled={isOff} />
        </Row>
      ))}
      <Row>
        <Segments
          label="View"
          options={[
            { id: "table", label: "Table" },
            { id: "plots", label: "Plots", note: " 3" },
          ]}
          chosen={view}
          onChoose={setView}
        />
        <DropDown button="Panel below">
          <p className="popup absolute z-10 p-3">Content of the panel</p>
        </DropDown>
        <Actions />
        <CopyButton text="text" />
        <FilePicker label="A file" icon="upload" text="Upload" onFiles={NOTHING} />
        <DeleteButton
          title="Delete the query?"
          noun="query"
          remove={{ mutate: NOTHING, isPending: false, error: new Error("it is in use") }}
        >
          Runs keep their inputs.
        </DeleteButton>
      </Row>
      <div className="relative h-24 rounded-lg border border-line">
        <ViewToolbar
          tools={[
            { label: "Zoom in", icon: "plus", act: NOTHING },
            { label: "Minimap", icon: "map", act: NOTHING, pressed: true },
          ]}
        />
      </div>
    </div>
  );
}

const THEME_CHOICES = [
  { id: "light", label: "Light", icon: "sun" },
  { id: "dark", label: "Dark", icon: "moon" },
] as const;

function Actions() {
  return (
    <Menu button={<MenuName name="Menu" />}>
      <MenuItem onClick={() => showToast("Copied")}>Copy</MenuItem>
      <MenuItem disabled>Archive</MenuItem>
      <MenuCheck checked onCheck={NOTHING}>
        Notify me
      </MenuCheck>
      <SubMenu label="Open">
        <MenuItem to="/runs">Runs</MenuItem>
      </SubMenu>
      <MenuLine />
      <MenuChoice options={THEME_CHOICES} chosen="light" onChoose={NOTHING} />
    </Menu>
  );
}

type DialogName = "Dialog" | "Form" | "Question" | "Panel";

function Dialogs() {
  const [open, setOpen] = useState<DialogName>();
  const close = () => setOpen(undefined);
  return (
    <Row>
      {(["Dialog", "Form", "Question", "Panel"] as const).map((name) => (
        <Button key={name} onClick={() => setOpen(name)}>
          {name}
        </Button>
      ))}
      <Button onClick={() => showToast("Run started", { label: "Open", to: "/runs" })}>Message</Button>
      <Button onClick={() => showError("Nothing was saved: the disk is full")}>Error</Button>
      {open === "Dialog" && (
        <Modal title="A dialog" onClose={close}>
          Its content scrolls.
        </Modal>
      )}
      {open === "Form" && (
        <FormDialog
          title="A form"
          submitLabel="Save"
          refusal="There is no such folder."
          onClose={close}
          onSubmit={close}
        >
          <Field label="Folder">
            <Input name="folder" />
          </Field>
        </FormDialog>
      )}
      {open === "Question" && (
        <ConfirmDialog title="Abort the run?" confirmLabel="Abort" pending={false} onConfirm={close} onClose={close}>
          Two jobs are running.
        </ConfirmDialog>
      )}
      {open === "Panel" && (
        <SidePanel title="A panel" onClose={close}>
          The page next to it can be used.
        </SidePanel>
      )}
    </Row>
  );
}

function Fields() {
  const [search, setSearch] = useState("sub-0");
  const [method, setMethod] = useState<"mean" | "otsu">("mean");
  return (
    <Form submitLabel="Save" refusal="FWHM must be positive." onSubmit={NOTHING} otherButtons={<Button>Cancel</Button>}>
      <Toolbar status="2 of 6 samples" actions={<Button>Action</Button>}>
        <SearchField label="Find samples" value={search} onChange={setSearch} />
      </Toolbar>
      <Field label="Name" hint="A hint below the field">
        <Input defaultValue="Imaging cohort" proposals={METHODS} />
      </Field>
      <Field label="Invalid" isSmall>
        <Input aria-invalid defaultValue="-6" />
      </Field>
      <Field label="Disabled">
        <Input disabled defaultValue="Never changes" />
      </Field>
      <Field label="Description">
        <TextArea rows={2} />
      </Field>
      <InlineField label="Method">
        <Select options={METHODS} value={method} onChoose={setMethod} />
      </InlineField>
      <RadioField
        legend="Method"
        options={[...METHODS, { id: "fixed", label: "Fixed (off)", isOff: true }]}
        chosen={method}
        onChoose={(id) => id !== "fixed" && setMethod(id)}
        isInline
      />
      <CheckField defaultChecked>Keep intermediate files</CheckField>
      <Slider aria-label="Time" min={0} max={10} />
    </Form>
  );
}

function States() {
  return (
    <div className="space-y-2">
      <Row>
        {RUN_STATE_NAMES.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </Row>
      <JobProgressBar counts={{ COMPLETE: 3, EXECUTOR_ERROR: 1, RUNNING: 2, QUEUED: 1 }} total={9} />
      <Skeleton rows={2} />
    </div>
  );
}

function Notices() {
  return (
    <div className="space-y-2">
      <Notice>
        A remark with <TextLink to="/">a link</TextLink>
      </Notice>
      <Notice tone="warning" title="Three samples are missing" actions={<Button>Show them</Button>}>
        Their files do not exist.
      </Notice>
      <Notice tone="failed" title="The run failed">
        A job ended with exit code 1.
      </Notice>
      <ErrorCard error={new Error("the answer is incomplete")} onRetry={NOTHING} />
      <EmptyState text="No runs yet.">
        <Button look="primary">Start a run</Button>
      </EmptyState>
      <NoMatch text='No run is called "cohrt".' filters={["q"]} />
    </div>
  );
}

function Lists() {
  const list = useVirtualList({ count: 10_000, itemPx: 24 });
  return (
    <div className="space-y-2">
      <DataTable
        caption="Steps"
        columns={[
          { label: "Step", render: ({ name }) => <NameLink to="/">{name}</NameLink> },
          { label: "Jobs", number: true, render: ({ jobs }) => jobs },
        ]}
        rows={STEPS}
        keyOf={({ name }) => name}
      />
      <DataTable caption="Empty" columns={[]} rows={[]} keyOf={NOTHING_KEY} empty="No steps yet." />
      <Pager nextPageToken="next" shown={50} total={120} noun="run" />
      <VirtualList
        list={list}
        className="card h-24"
        tabIndex={0}
        role="region"
        aria-label="10,000 items"
        renderItem={(index) => `Item ${index + 1}`}
      />
      <TabBar
        label="Tabs"
        tabs={[
          { id: "first", label: "First", content: "Content of the first tab" },
          { id: "second", label: "Second", note: " 2", content: "Content of the second tab" },
        ]}
      />
    </div>
  );
}

const NOTHING_KEY = () => "";

function Texts() {
  return (
    <div className="space-y-3">
      <Facts
        facts={[
          ["Started", <TimeAgo key="time" time={TIME} />],
          ["Took", <DurationText key="took" start={TIME} end="2026-03-01T10:01:05Z" durationMs={null} />],
          ["Image", <Code key="image">debian:12</Code>],
          ["Keys", <KeyCombination key="keys" keys={["g", "r"]} />],
        ]}
      />
      <CodeBlock label="Command" text={"smooth \\\n  --fwhm 6 sub-01.nii"} />
    </div>
  );
}
