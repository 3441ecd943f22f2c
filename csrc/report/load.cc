#include "report/load.h"

#include "base/error.h"
#include "base/in_order.h"
#include "base/progress.h"
#include "format/launches.h"
#include "format/record_files.h"
#include "format/record_reader.h"

namespace opcov {

Loaded load_coverage(const std::vector<std::string>& records, const ProfiledInputs& inputs) {
  Loaded loaded;
  CoverageBuilder builder;
  const std::vector<std::string> paths = find_record_files(records);
  Launches launches;
  Progress progress("reading record files", paths.size());
  const auto read = [&](std::size_t i) { return read_record_file(paths[i], builder.pool()); };
  in_order(paths.size(), read, [&](std::size_t, Made<RecordFile> made) {
    const RecordFile file = made.get();
    file.findings.throw_errors();
    launches.add(file);
    for (const auto* kind : {&file.findings.damage, &file.findings.warnings})
      loaded.warnings.insert(loaded.warnings.end(), kind->begin(), kind->end());
    builder.add(file);
    progress.advance();
  });
  loaded.coverage = builder.finish(inputs.snapshots);
  loaded.coverage.snapshot_files = inputs.snapshot_files;
  if (loaded.coverage.segments == 0)
    throw bad_input(records.front() + ": no file given holds a record; was the program ended before its first call?");
  return loaded;
}

}  // namespace opcov
